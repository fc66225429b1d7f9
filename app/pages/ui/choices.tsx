/** Choice cards and a number stepper. */
import { Stepper } from "../../ui/stepper.tsx";

const terms = [
  { name: "Yearly", figure: "₹729", paid: "₹8,748 billed once a year", saves: "Saves 17%" },
  { name: "Monthly", figure: "₹875", paid: "Billed every month", saves: null },
];

export function Choices() {
  return (
    <>
      <fieldset>
        <legend className="as-heading">How do you want to pay?</legend>
        <div className="choices">
          {terms.map(({ name, figure, paid, saves }, index) => (
            <label key={name} className="choice">
              <input type="radio" name="card-term" value={name} defaultChecked={index === 0} />
              <span>
                <span className="card-head">
                  <strong>{name}</strong>
                  {saves !== null && <span className="badge good">{saves}</span>}
                </span>
                <span>
                  <span className="figure">{figure}</span> per user/month
                </span>
                <span className="hint">{paid}</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <p className="field">
        <label htmlFor="people">How many users?</label>
        <br />
        <Stepper less="Remove one user" more="Add one user">
          <input
            id="people"
            type="text"
            inputMode="numeric"
            defaultValue="17"
            data-digits
            data-fallback="1"
          />
        </Stepper>
      </p>
    </>
  );
}

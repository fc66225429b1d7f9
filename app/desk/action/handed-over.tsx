/** Result of a staff action that its reader hands on, such as a link. It is shown only here. */
interface HandedOverProps {
  /** Heading of the staff action. */
  label: string;
  back: string;
  handedOver: { said: string; label: string; link: string };
}

export function HandedOver({ label, back, handedOver }: HandedOverProps) {
  return (
    <section className="page narrow">
      <h1>{label}</h1>
      <p role="status">{handedOver.said}</p>
      <p>{handedOver.label}</p>
      <p>
        <code className="hand-over">{handedOver.link}</code>
      </p>
      <p>
        <a className="button" href={back}>
          Back
        </a>
      </p>
    </section>
  );
}

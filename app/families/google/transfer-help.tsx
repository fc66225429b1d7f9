/** How a customer of another reseller gets the transfer token, for both steps that ask for it. */
export function TransferHelp({ domain }: { domain: string | null }) {
  return (
    <ol>
      <li>Sign in to the Google admin console as a super administrator of {domain ?? "the domain"}.</li>
      <li>Open Billing, then Subscriptions, and choose Transfer to a reseller.</li>
      <li>
        Choose the plan you order here, and no other. Generate the transfer token, copy it, and paste it here.
        It is valid for 14 days.
      </li>
    </ol>
  );
}

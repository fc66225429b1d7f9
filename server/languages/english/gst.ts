/** Looking a company up by its GST number. */
export const gst = {
  notFound: "This GST number was not found. Please check it, or add the details manually.",
  notActive: "This GST registration is {status}. Only an active one can be used.",
  doubtfulStatus:
    "The tax register says that this GST registration is {status}. Please check the number: you cannot claim the tax with it.",
  doubtfulName:
    "The tax register has this GST number under another name: {registered}. Please check that it is your company's.",
  unavailable:
    "HTTP error! status: {status}. The GST register does not answer; you can add the details manually.",
} as const;

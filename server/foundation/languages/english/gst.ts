/** Looking a company up by its GST number. */
export const gst = {
  notFound: "This GST number was not found. Please check it, or add the details manually.",
  notActive: "This GST registration is {status}. You can only use an active one.",
  doubtfulStatus:
    "The tax register lists this GST registration as {status}, so you can't claim the tax with it. Check the number.",
  doubtfulName:
    "The tax register lists this GST number under a different name: {registered}. Check that it belongs to your company.",
  unavailable:
    "HTTP error! status: {status}. The GST register isn't responding. You can add the details manually.",
} as const;

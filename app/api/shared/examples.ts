/**
 * An example of every call for the OpenAPI document: one company that buys, adds licences and renews. A test checks each
 * against its schemas.
 */

import type { OrderStepSlug } from "#server/foundation/paths.ts";
import * as paths from "#server/foundation/paths.ts";

/** One exchange: the path parameters, the query or body, and the reply. */
export interface Example {
  path?: Readonly<Record<string, string>>;
  send?: object;
  reply: unknown;
}

const orderId = "5e0c6f1c-7a39-4b7e-9a1d-2f0c8b5d1e10";
const changeId = "0f7d2b84-0c1e-4a52-8f9b-6f2d1c3b4a55";
const userId = "b1c2a3d4-5e6f-4a7b-8c9d-0e1f2a3b4c5d";
const customerId = "9c8b7a6d-5e4f-4d3c-8b2a-1f0e9d8c7b6a";
const subscriptionId = "3d2c1b0a-9f8e-4d7c-8b6a-5f4e3d2c1b0a";
const itemId = "microsoft-365-business-basic";
const token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI1In0.c2lnbmF0dXJl";
const mailedToken = "RGTItYk_zc3arZswTGojHxmqPA5e3B6xoWs8IBIu4Qs";
const email = "priya@sahyadri.example";
const encodedEmail = "cHJpeWFAc2FoeWFkcmkuZXhhbXBsZQ==";
const encodedPassword = "Q2FsbS1Nb25zb29uLTc=";
const gstin = "27AAPFU0939F1ZV";
const key = "rzp_live_AbCdEfGhIjKlMn";

const providerOrder = "order_NxY2bQk7LmPq3R";
const providerPayment = "pay_NxY5dWc9TgHs1V";
const signature = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

const account = {
  companyName: "Sahyadri Precision Tools",
  email,
  firstName: "Priya",
  lastName: "Kulkarni",
  phoneNumber: "9822012345",
  addressLine1: "12 Senapati Bapat Marg",
  addressLine2: "Lower Parel",
  city: "Mumbai",
  state: "Maharashtra",
  pincode: "400013",
  country: "IN",
  organisationRegistrationNumber: gstin,
};

const figures = {
  count: 2,
  taxRate: 0.18,
  unit_price: 1644,
  secondary_unit_price: 0,
  total: 3288,
  tax_amount: 591.84,
  totalCost: 3880,
};

const address = {
  add1: account.addressLine1,
  add2: account.addressLine2,
  city: account.city,
  state: account.state,
  pincode: account.pincode,
  country: "IN",
  gst_code: gstin,
  organization_registration_number: gstin,
  email,
  first_name: account.firstName,
  last_name: account.lastName,
  phone: account.phoneNumber,
};

const shipping = {
  add1: account.addressLine1,
  add2: account.addressLine2,
  city: account.city,
  state: account.state,
  country: "IN",
  gst_code: gstin,
};

const card = {
  id: itemId,
  sku: itemId,
  item_family: "microsoft",
  name: "Microsoft 365 Business Basic",
  description: "Email, meetings and files in the browser",
  features: ["50 GB mailbox with your own domain", "1 TB of OneDrive per user"],
  images: ["teams", "outlook", "onedrive"],
  price: { INR: 137, USD: 6 },
  ERP_INR: 145,
  min_quantity: 1,
  max_quantity: 300,
};

const customerAddress = {
  add1: account.addressLine1,
  add2: account.addressLine2,
  city: account.city,
  state: account.state,
  postal_code: account.pincode,
  country: "IN",
  gst_code: gstin,
  first_name: account.firstName,
  last_name: account.lastName,
  email,
  phone: account.phoneNumber,
};

const change = {
  quantity: 17,
  item_name: card.name,
  item_family: "microsoft",
  customer_address: customerAddress,
  console: "IP",
  billing_cycle: "P1Y",
  actual_billing_cycle: "A",
  currency: "INR",
};

const orderUrl = (step: OrderStepSlug) =>
  `${paths.order({ id: orderId, family: "microsoft", item: itemId, country: "IN" })}/${step}`;

const begunPayment = {
  status: false,
  state: "awaiting_payment",
  Error: "",
  id: orderId,
  stage: "stage2",
  razorpay: key,
  razorpay_order_id: providerOrder,
  amount: 388000,
  currency: "INR",
  url: orderUrl("place-order"),
};

const signUp = {
  order_id: orderId,
  quantity: 2,
  unit_price: 1644,
  console: "IP",
  is_existing_customer: false,
};
const signedUp = {
  status: "Success",
  message: "",
  customerid: customerId,
  order_id: orderId,
  stage: "stage3",
  other: "",
};

const passwordLink: Readonly<Record<string, Example>> = {
  get: { path: { token: mailedToken }, reply: { data: { email } } },
  post: { path: { token: mailedToken }, send: { password: "Calm-Monsoon-8" }, reply: { ok: true } },
};

/** Examples by method and address, spelt as in the call table. */
const examples: Readonly<Record<string, Readonly<Record<string, Example>>>> = {
  "api/login": {
    post: {
      send: { encodedEmail, encodedPassword },
      reply: {
        token,
        user: {
          id: userId,
          email,
          first_name: "Priya",
          last_name: "Kulkarni",
          customerId,
          phone: "9822012345",
          role: "CUSTOMER",
        },
      },
    },
  },
  "api/signup": {
    post: {
      send: {
        firstname: "Priya",
        lastname: "Kulkarni",
        phonenumber: "9822012345",
        encodedEmail,
        encodedPassword,
      },
      reply: { message: "User account created successfully. Please login to explore services." },
    },
  },
  "reset-mail": { post: { send: { email }, reply: { ok: true } } },
  "reset-password/:token": passwordLink,
  "reset/password/:token": passwordLink,
  "set-password/:token": passwordLink,
  "api/logout": { post: { reply: { ok: true } } },
  "api/validate-token": { get: { reply: { valid: true } } },
  "api/get/cust": {
    get: {
      send: { id: customerId },
      reply: {
        customer: true,
        data: {
          id: customerId,
          name: account.companyName,
          addresses: [{ id: "7b6a5c4d-3e2f-4a1b-9c8d-7e6f5a4b3c2d", ...address }],
        },
      },
    },
  },
  "api/search": { post: { send: { query: "business" }, reply: [card] } },
  dashboard: {
    get: {
      reply: {
        microsoft: { featured_items: [card], other_items: [], add_on_items: [] },
        google: { featured_items: [], other_items: [], add_on_items: [] },
        brio: { featured_items: [], other_items: [], add_on_items: [] },
      },
    },
  },
  "get/stage": {
    get: {
      send: { id: orderId },
      reply: { stage: "stage2", console: "IP", other: "", razorpay: key, state: "not_due", problem: "" },
    },
  },
  "api/gst": {
    post: {
      send: { gstin },
      reply: {
        cust_data: {
          legalName: "UNITED HARBOUR TRADERS",
          buildingName: "Harbour House",
          floorNumber: "3",
          street: "Dr Annie Besant Road",
          buildingNumber: "41",
          city: "Mumbai",
          stateName: "Maharashtra",
          pincode: "400018",
          gstin,
        },
      },
    },
  },
  createacount: {
    post: {
      send: { ...account, id: orderId },
      reply: { message: "account created", id: orderId, customerId, stage: "stage2" },
    },
  },
  "check/user": { get: { send: { email }, reply: { user: false } } },
  "create/order": {
    post: {
      send: { sku_id: itemId, console: "IP", ...figures, ...account },
      reply: {
        id: orderId,
        customerId,
        token,
        stage: "stage2",
        url: orderUrl("place-order"),
        ...figures,
        currency: "INR",
      },
    },
  },
  subscriptiondetails: {
    get: {
      send: { country: "IN", sku_id: itemId },
      reply: {
        item: {
          id: itemId,
          name: card.name,
          attrib01: itemId,
          monthly_price: { INR: 165, USD: 7.2 },
          annual_price: { INR: 1644, USD: 72 },
        },
        availabilitydata: {
          terms: ["P1Y", "P1M"],
          catalogItemId: itemId,
          min_quantity: 1,
          max_quantity: 300,
        },
      },
    },
    post: {
      send: { sku_id: itemId, console: "IP", ...figures },
      reply: {
        id: orderId,
        status: "success",
        Error: "",
        stage: "stage1",
        url: orderUrl("create-account"),
        ...figures,
        currency: "INR",
      },
    },
  },
  item: { get: { send: { sku: itemId }, reply: card } },
  "google/signup": {
    get: { send: { tenant: "sahyadri.example", console: "IP" }, reply: { status: 0 } },
    post: {
      send: {
        order_id: orderId,
        username: "admin",
        password: "Calm!Monsoon7",
        is_transfer_token_customer: false,
      },
      reply: signedUp,
    },
  },
  "api/domain": {
    post: {
      send: { console: "IP", customer: account.companyName },
      reply: ["sahyadriprecision", "sahyadriprecisiontools"],
    },
  },
  mssignup: {
    get: { send: { tenant: "sahyadritools", console: "IP" }, reply: { valid: true } },
    post: { send: { ...signUp, tenantname: "sahyadritools", username: "admin" }, reply: signedUp },
  },
  "reseller/invitation/status": {
    get: {
      send: { id: orderId },
      reply: { state: "pending", cached_data: { invitation_accepted: false }, o365_uid: null },
    },
  },
  placeorder: {
    get: {
      send: { id: orderId },
      reply: {
        name: card.name,
        commitment: "P1Y",
        billing: "Annually",
        quantity: 2,
        unit_price: { INR: 1644 },
        secondary_unit_price: { INR: 0 },
        total_price: 3288,
        tax_amount: 591.84,
        Estimate_tax: 591.84,
        grand_total: 3880,
        customer_name: account.companyName,
        customerid: customerId,
        address: "12 Senapati Bapat Marg, Lower Parel, Mumbai, Maharashtra 400013, IN",
        email,
        phone: "9822012345",
        stage: "stage2",
        razorpay_order_id: "",
        amount: 388000,
        currency: "INR",
        agreement: `${orderUrl("place-order")}?agreement=read`,
        order_details: {
          order: {
            id: orderId,
            accountid: userId,
            customerid: customerId,
            payment_status: "none",
            payment_details: { id: "", total_amount: 3880, problem: "" },
            invitation_accepted: false,
            shipping_address: shipping,
            order_line_items: [
              { id: orderId, commitment: "P1Y", billing: "Annually", catalogItemId: itemId },
            ],
            properties: {
              firstname: "Priya",
              lastname: "Kulkarni",
              email,
              phone: "9822012345",
              addres: [account.addressLine1, account.addressLine2],
              city: account.city,
              state: account.state,
              pincode: account.pincode,
              country: "IN",
              organisationRegistrationNumber: gstin,
              isCustomer: false,
              new_address: true,
              domain: "",
              tenant: "",
              uid: "",
              is_transfer_token_customer: false,
              google_user_created: false,
              parent_subscription_id: "",
            },
          },
        },
      },
    },
  },
  closure: {
    get: {
      send: { id: orderId, item_family: "microsoft" },
      reply: {
        country: "IN",
        is_existing_customer: false,
        existing_customer_email: "",
        username: "admin@sahyadritools.onmicrosoft.com",
        password: "Kx7!mQp2vR",
        id: orderId,
        item_family: "microsoft",
        name: card.name,
        quantity: 2,
      },
    },
  },
  "api/capturepayment": {
    post: { send: { data: { id: orderId, totalAmount: 3880 } }, reply: begunPayment },
  },
  "api/existigcustomer": {
    get: {
      send: { customerid: customerId },
      reply: {
        cust_uid: [
          {
            uid: "2a1b0c9d-8e7f-4a6b-9c5d-4e3f2a1b0c9d",
            name: account.companyName,
            tenant: "sahyadritools.onmicrosoft.com",
            id: "8f7e6d5c-4b3a-4291-8a7b-6c5d4e3f2a1b",
            item_family: "microsoft",
          },
        ],
      },
    },
  },
  "api/existingsubscriptions": {
    get: {
      send: { customerId },
      reply: {
        items: [{ id: itemId, name: card.name }],
        subscriptions: [
          {
            id: subscriptionId,
            itemid: itemId,
            domain: "sahyadritools.onmicrosoft.com",
            customer_uid: "2a1b0c9d-8e7f-4a6b-9c5d-4e3f2a1b0c9d",
            customerid: customerId,
          },
        ],
      },
    },
  },
  "add/user/:subscriptionId": {
    get: {
      path: { subscriptionId },
      reply: {
        ...change,
        cost_per_person: 504.46,
        days_left: 112,
        days_in_term: 365,
        end_date: "2027-03-14T18:30:00.000Z",
      },
    },
    post: {
      path: { subscriptionId },
      send: { payment_details: { quantity: 5, total_amount: 2976 } },
      reply: {
        ...begunPayment,
        id: changeId,
        amount: 297600,
        url: paths.buyMore(subscriptionId),
      },
    },
  },
  "renew-subscription/:id": {
    get: {
      path: { id: subscriptionId },
      reply: {
        subscription_data: {
          ...change,
          unit_price: 1644,
          start_date: "2027-03-14T18:30:00.000Z",
          end_date: "2028-03-14T18:30:00.000Z",
        },
      },
    },
    post: {
      path: { id: subscriptionId },
      send: {
        payment_details: {
          id: providerPayment,
          razorpay_order_id: providerOrder,
          razorpay_signature: signature,
        },
      },
      reply: {
        ...begunPayment,
        status: true,
        state: "completed",
        id: changeId,
        stage: "stage3",
        amount: 3297900,
        url: paths.renew(subscriptionId),
      },
    },
  },
  "api/subscriptions": {
    get: {
      send: { customerId, itemFamily: "microsoft" },
      reply: {
        active_subscriptions: [
          {
            id: subscriptionId,
            item_name: card.name,
            item_family: "microsoft",
            plan: "P1Y",
            domain: "sahyadritools.onmicrosoft.com",
            quantity: 17,
            state: "active",
            start_date: "2026-03-14T18:30:00.000Z",
            end_date: "2027-03-14T18:30:00.000Z",
          },
        ],
        expired_subscriptions: [],
        next_active: null,
        next_expired: null,
      },
    },
  },
  "api/subscription/:id": {
    get: {
      path: { id: subscriptionId },
      reply: {
        item_name: card.name,
        item_family: "microsoft",
        add_payment_status: "none",
        renew_payment_status: "completed",
        add_payment_details: null,
        renew_payment_details: {
          id: providerPayment,
          order_id: changeId,
          amount: 27948,
          tax_amount: 5030.64,
          total_amount: 32979,
          quantity: 17,
        },
        add_shipping_address: [],
        renew_shipping_address: [
          {
            add1: account.addressLine1,
            add2: account.addressLine2,
            city: account.city,
            state: account.state,
            country: "IN",
            postal_code: account.pincode,
          },
        ],
      },
    },
  },
  "api/get/orders": {
    get: {
      send: { category: "ORD", user: userId, service: "microsoft" },
      reply: [
        {
          id: orderId,
          itemName: card.name,
          commitment_plan: "P1Y",
          billing_cycle: "A",
          quantity: 2,
          created_on: "2026-11-20T06:12:44.000Z",
          order_type: "NEW",
          total: 3288,
          tax_amount: 591.84,
          grand_total: 3880,
          currency: "INR",
          invoice_number: "IN/26-27/000042",
          credit_notes: [{ id: changeId, number: "IN/C26-27/000042", amount: 3880 }],
          shipping_address: shipping,
          properties: { country: "IN" },
          itemFamily: "microsoft",
          item_id: itemId,
        },
      ],
    },
  },
  "api/openapi.json": { get: { reply: { openapi: "3.1.0" } } },
  livez: { get: { reply: { live: true } } },
  readyz: { get: { reply: { ready: true } } },
  health: {
    get: {
      reply: { ok: true },
    },
  },
};

/** @throws Error for a call without an example, so that the document cannot be built incomplete */
export function exampleOf(method: string, address: string): Example {
  const example = examples[address]?.[method];
  if (example === undefined) throw new Error(`No example of ${method} ${address}`);
  return example;
}

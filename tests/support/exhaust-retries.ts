/** Skips hours of retries: ends the period for which an order retries at its vendor. */

/** Takes the order's id. Sets its first failure a month back, so that its next try is its last. */
export const exhaustRetriesSql = `
  update fulfilments set met = (
    select jsonb_object_agg(name, refusal || jsonb_build_object('since', now() - interval '30 days'))
    from jsonb_each(met) as each (name, refusal)
  )
  where order_id = $1 and met <> '{}'`;

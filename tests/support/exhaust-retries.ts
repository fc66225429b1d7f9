/** What a test would otherwise wait hours for: that an order's patience with its vendor is over. */

/** With the order's id: as if it had met what it meets for a month. Its next try is its last. */
export const exhaustRetriesSql = `
  update fulfilments set met = (
    select jsonb_object_agg(name, refusal || jsonb_build_object('since', now() - interval '30 days'))
    from jsonb_each(met) as each (name, refusal)
  )
  where order_id = $1 and met <> '{}'`;

// ToStore: what the device stores of a query, in its `meta.toStore`.

/**
 * What is stored of a query's data.
 * @param former what is stored of this query now, not parsed; undefined without anything
 */
export type ToStore = (data: unknown, former: unknown) => unknown

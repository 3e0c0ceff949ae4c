// Days in Asia/Tokyo, as date fields have them.

/** The day after so many days, `YYYY-MM-DD`. */
export const inDays = (days: number): string =>
  new Date(Date.now() + 9 * 3600_000 + days * 24 * 3600_000).toISOString().slice(0, 10)

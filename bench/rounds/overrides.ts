// `SIZE` (MiB) and `ROUNDS` of the environment, for a trial of a bench.

/** Rounds of a bench that compares methods. */
export const ROUNDS = 3
/** Rounds of a bench of uploads, whose rates vary most. */
export const UPLOAD_ROUNDS = 7

function numberOf(name: string): number | undefined {
  const text = process.env[name]
  if (text === undefined || text === '') return undefined
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new Error(`${name}=${text}: not a whole number from 1`)
  return value
}

/** Size of the file that is set by `SIZE`, MiB. */
export const sizeSet = (): number | undefined => numberOf('SIZE')

/** Number of rounds that is set by `ROUNDS`. */
export const roundsSet = (): number | undefined => numberOf('ROUNDS')

// Whether another server's reply says that a call has failed (specification section 7).

const failedWord = /^(?:failed|failure|fail|error|ng|false)$/i
/** Their value says how it went. */
const outcomes = ['status', 'ok', 'success', 'result', 'data']
/** They name what went wrong. */
const errors = ['error', 'errors', 'failed', 'failure']
/** They may hold a result of their own. */
const holders = ['data', 'result']

const isEmpty = (it: unknown): boolean => !it || (typeof it === 'object' && Object.keys(it).length === 0)

/** Whether the value of an outcome is that of a failure: falsy, a word for it, or a status of HTTP from 400 on. */
function saysFailed(value: unknown): boolean {
  if (typeof value === 'string') return value === '' || failedWord.test(value)
  return typeof value === 'number' ? value === 0 || value >= 400 : !value
}

/**
 * The specification names falsy and failed results, and does not show them: this knows the usual ones. A post is released once in any
 * case, and its author sees a failure that was none; the other way round the post would be lost.
 * @param json the reply, parsed; undefined when it is no JSON
 */
export function isFailedResult(json: unknown, depth = 0): boolean {
  if (typeof json !== 'object' || json === null) return saysFailed(json)
  const reply = json as Record<string, unknown>
  if (errors.some((key) => !isEmpty(reply[key]))) return true
  if (outcomes.some((key) => key in reply && saysFailed(reply[key]))) return true
  return depth === 0 && holders.some((key) => isObject(reply[key]) && isFailedResult(reply[key], 1))
}

const isObject = (it: unknown): boolean => typeof it === 'object' && it !== null && !Array.isArray(it)

// Collects the failures of a sweep, so that one row does not stop the others.

export interface Failures {
  /** Does the work of one row. @returns whether it succeeded; a failure is stored with the id */
  attempt(id: string, work: () => Promise<unknown>): Promise<boolean>
  /** @throws AggregateError with an error for each failed id, so that the sweep is reported and repeated */
  report(): void
}

/** @param what the work in words that an id follows, such as `payout of` */
export function createFailures(what: string): Failures {
  const failures: Error[] = []
  return {
    async attempt(id, work) {
      try {
        await work()
        return true
      } catch (error) {
        failures.push(withoutValues(`${what} ${id}`, error))
        return false
      }
    },
    report() {
      if (failures.length > 0) throw new AggregateError(failures, `${failures.length} failed: ${what}`)
    },
  }
}

/** An error with the kind, the code and the place of another one. Messages of queries have the values of their parameters. */
function withoutValues(work: string, error: unknown): Error {
  const { name, code, cause, stack } = error as {
    readonly name?: string
    readonly code?: string
    readonly cause?: { readonly code?: string }
    readonly stack?: string
  }
  const kind = [name ?? typeof error, cause?.code ?? code].filter((it) => it !== undefined).join(' ')
  const it = new Error(`${work}: ${kind}`)
  const frames = (stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line))
  it.stack = [`Error: ${it.message}`, ...frames].join('\n')
  return it
}

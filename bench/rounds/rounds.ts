// Measures methods in interleaved rounds, and compares each with the baseline of the same round.
import { cores, readMachine } from './machine.ts'
import { tableOf } from './page.ts'
import type { Machine, MethodResult, Result } from './result.ts'
import { rounded, shown } from './statistics.ts'

/** Figures of one measurement, by name with unit. */
export type Figures = Readonly<Record<string, number>>

export interface Method {
  readonly name: string
  readonly measure: () => Promise<Figures>
  /** Figures that are measured once, in a round before the others, because watching them takes time. */
  readonly measureOnce?: () => Promise<Figures>
}

export interface Plan {
  /** What is measured: size of a file, speed of a line. */
  readonly setting: string
  readonly rounds: number
  /** The figure that is compared; the first method is the baseline. Nothing is compared without it. */
  readonly compared?: string
  readonly methods: readonly Method[]
}

/** What is measured of a bench; date and commit are added where it is saved. */
export type Measured = Omit<Result, 'date' | 'commit'>

/** What measuring needs of its surroundings, which a test replaces. */
export interface Surroundings {
  readonly readMachine: () => Machine
  readonly print: (text: string) => void
}

const real: Surroundings = { readMachine, print: (text) => console.log(text) }

/** Measures one round. @returns the figures of the methods that have some */
async function measureRound(
  methods: readonly Method[],
  measure: (method: Method) => Promise<Figures> | undefined,
  print: (method: string, figures: string) => void,
): Promise<Map<Method, Figures>> {
  const round = new Map<Method, Figures>()
  for (const it of methods) {
    const figures = await measure(it)
    if (figures === undefined) continue
    round.set(it, figures)
    const cells = Object.entries(figures).map(([name, value]) => `${shown(value)} ${name}`)
    print(it.name, cells.join('   '))
  }
  return round
}

/** The values of each figure of a method, in the order of the rounds. */
function seriesOf(rounds: readonly (Figures | undefined)[]): Record<string, number[]> {
  const all: Record<string, number[]> = {}
  for (const round of rounds)
    for (const [name, value] of Object.entries(round ?? {})) (all[name] ??= []).push(rounded(value))
  return all
}

/** The ratio of each round; undefined where nothing is compared. */
function ratioOf(
  values: readonly number[] | undefined,
  baseline: readonly number[] | undefined,
): number[] | undefined {
  return baseline && values?.map((it, n) => rounded(it / (baseline[n] ?? Number.NaN)))
}

/**
 * Measures the methods in turns: every second round in reverse order, so that a machine that becomes slower or faster
 * favours none. Prints each measurement and the table.
 */
export async function measureRounds(plan: Plan, surroundings = real): Promise<Measured> {
  const { methods, compared, rounds } = plan
  const { print } = surroundings
  print(`\n${plan.setting}, ${rounds} ${rounds === 1 ? 'round' : 'rounds'}\n`)
  const before = surroundings.readMachine()
  const printed = (label: string) => (method: string, figures: string) =>
    print(`${label.padEnd(9)} ${method.padEnd(24)} ${figures}`)
  const once = await measureRound(methods, (it) => it.measureOnce?.(), printed('once'))
  const all: Map<Method, Figures>[] = []
  for (let n = 1; n <= rounds; n++) {
    const order = n % 2 === 1 ? methods : methods.toReversed()
    all.push(await measureRound(order, (it) => it.measure(), printed(`round ${n}`)))
  }
  const [first] = methods
  const figuresOf = (it: Method) => seriesOf([...all.map((round) => round.get(it)), once.get(it)])
  const values = (it: Method) => (compared === undefined ? undefined : figuresOf(it)[compared])
  const baseline = first && values(first)
  const resultOf = (it: Method): MethodResult => {
    const ratio = ratioOf(values(it), baseline)
    return { name: it.name, ...(ratio ? { ratio } : {}), figures: figuresOf(it) }
  }
  const measured = {
    setting: plan.setting,
    rounds,
    ...(first && compared !== undefined ? { compared: { figure: compared, baseline: first.name } } : {}),
    machine: { cores: cores(), before, after: surroundings.readMachine() },
    methods: methods.map(resultOf),
  }
  print(`\n${tableOf([measured])}`)
  return measured
}

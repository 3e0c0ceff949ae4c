// Planted faults in the capacity model, its page and its measurements.
import type { Fault } from '../fault.ts'

const model = { file: 'bench/capacity/model.ts', tests: ['bench/capacity/capacity-page.test.ts'] }
const load = { file: 'bench/rig/load.ts', tests: ['bench/rig/load.test.ts'] }

export const capacityFaults: readonly Fault[] = [
  {
    ...model,
    name: 'the processor time of nginx is not part of what a site needs',
    find: 'sum((name) => measured[name].server + measured[name].proxy)',
    replace: 'sum((name) => measured[name].server)',
    caughtBy: 'the formulas of the page give what the model gives',
  },
  {
    ...model,
    name: 'every video counts as one that is encoded',
    find: 'rates.encodedSecond * measured.videoSecond.encoded',
    replace: 'rates.videoSecond * measured.videoSecond.encoded',
    caughtBy: 'the formulas of the page give what the model gives',
  },
  {
    ...model,
    name: 'the need of an empty site is not subtracted from what a machine has',
    find: 'people: (capacity[resource] - none[resource]) / each',
    replace: 'people: capacity[resource] / each',
    caughtBy: 'the people with whom each resource ends',
  },
  {
    ...model,
    name: 'a cost is measured again, and the page has the earlier one',
    file: 'bench/capacity/measured.ts',
    find: 'frame: { server: 0.02 }',
    replace: 'frame: { server: 0.03 }',
    caughtBy: 'the page has the measured costs',
  },
  {
    name: 'a mixed load begins with the most frequent units',
    file: 'bench/capacity/costs/mix.ts',
    find: '(behind(b) > behind(a) ? b : a)',
    replace: '(habits[b] > habits[a] ? b : a)',
    tests: ['bench/capacity/costs/mix.test.ts'],
    caughtBy: 'every beginning of the mix',
  },
  {
    ...load,
    name: 'a refused request counts as a measured unit',
    find: 'if (!/^HTTP\\/1\\.1 2\\d\\d /.test(this.#head)) return this.#fail()',
    replace: '',
    caughtBy: 'a reply with status',
  },
  {
    ...load,
    name: 'a reply in parts ends with its first part',
    find: 'if (this.#tail === LAST_PART) this.#resolve?.()',
    replace: 'this.#resolve?.()',
    caughtBy: 'a reply in parts is read to its end',
  },
  {
    name: 'the time of processes that end with their parent is lost',
    file: 'bench/rig/memory.ts',
    find: 'for (const pid of processTree(root).slice(1))',
    replace: 'times.clear()\n    for (const pid of processTree(root).slice(1))',
    tests: ['bench/rig/tree-clock.test.ts'],
    caughtBy: 'killed with its parent is still counted',
  },
]

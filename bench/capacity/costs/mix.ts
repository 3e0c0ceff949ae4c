// Orders units of several kinds in the ratio of the habits.
import { type Habits, type UnitName, usualHabits } from '#bench/capacity/model.ts'

/** Units in the ratio of the habits, evenly spread. @param among names to choose from */
export function mixOf(among: readonly UnitName[], count: number, habits: Habits = usualHabits): UnitName[] {
  const all = among.reduce((sum, name) => sum + habits[name], 0)
  const done = new Map<UnitName, number>(among.map((name) => [name, 0]))
  return Array.from({ length: count }, (_, n) => {
    // The unit that is furthest behind its share.
    const behind = (name: UnitName) => ((n + 1) * habits[name]) / all - (done.get(name) ?? 0)
    const next = among.reduce((a, b) => (behind(b) > behind(a) ? b : a))
    done.set(next, (done.get(next) ?? 0) + 1)
    return next
  })
}

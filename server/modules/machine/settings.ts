// Changes settings at runtime, with their history and an audit entry.
import { isDeepStrictEqual } from 'node:util'
import { NO_ID } from '#contract/administration/audit-names.ts'
import { limitBounds, limitNames, settingNames } from '#contract/administration/runtime-names.ts'
import type {
  RuntimeSettingsView,
  SettingChange,
  SettingValue,
} from '#contract/administration/runtime-settings.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { type RuntimeValues, valuesOf } from '#server/services/runtime/settings.ts'
import { lockStaff } from '#server/store/staff/staff.ts'
import { lockSettings, readSettings, writeSettings } from '#server/store/staff/runtime-settings.ts'

export interface Acting {
  readonly actorId: string
  readonly ip: string
}

/**
 * Changes what differs, in one transaction. Values that are equal to the present ones are neither stored nor audited. A setting that
 * this version cannot read is in the history as its default.
 * @returns the values after the change
 * @throws ApiError `not_found` when the caller is no longer an admin
 */
export async function changeSettings(
  deps: Deps,
  change: SettingChange,
  { actorId, ip }: Acting,
): Promise<RuntimeValues> {
  const { transaction, clock, runtime } = deps
  const values = await transaction(async ({ tx, audit }) => {
    const staff = await lockStaff(tx)
    if (!staff.some((it) => it.id === actorId && it.role === 'admin' && it.active))
      throw new ApiError('not_found')
    await lockSettings(tx)
    const stored = await readSettings(tx)
    const writes = settingNames.flatMap((name) => {
      const to: SettingValue | undefined = change[name]
      const from = (stored.get(name) ?? null) as SettingValue
      return to === undefined || isDeepStrictEqual(from, to) ? [] : [{ name, from, to }]
    })
    if (writes.length > 0) {
      await writeSettings(tx, writes, { actorId, now: clock() })
      const detail = { fields: writes.map((it) => it.name) }
      audit({ actorId, act: 'settings.change', subjectKind: 'setting', subjectId: NO_ID, detail, ip })
    }
    return valuesOf(await readSettings(tx), runtime.usual)
  })
  runtime.forget()
  return values
}

const finite = (it: number): number | null => (Number.isFinite(it) ? Math.floor(it) : null)

export const settingsView = (values: RuntimeValues, usual: RuntimeValues): RuntimeSettingsView => ({
  registration: values.registration,
  bar: values.bar,
  limits: limitNames.map((name) => ({
    name,
    value: values.set[name] ?? null,
    usual: finite(usual.limits[name]),
    least: limitBounds[name].least,
    most: limitBounds[name].most,
  })),
})

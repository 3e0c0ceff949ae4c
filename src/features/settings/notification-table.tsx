// NotificationTable: switches for each kind of notification and channel.
import { useSuspenseQuery } from '@tanstack/react-query'
import type { NotificationSetting, NotificationChannel } from '#contract/accounts/settings.ts'
import { notificationText } from './text.ts'
import { Toggle } from '#src/ui/fields/toggle.tsx'
import { notificationQuery, useChangeWay } from './settings.ts'

const words = notificationText
const ways = ['in_app', 'push', 'mail'] as const satisfies readonly NotificationChannel[]

export function NotificationTable() {
  const { settings } = useSuspenseQuery(notificationQuery).data
  const change = useChangeWay()
  return (
    <div className="pb-16">
      <p className="px-4 pt-5 pb-4 text-soft">{words.lead}</p>
      <table className="w-full border-y border-line">
        <thead>
          <tr className="text-sm text-soft">
            <th scope="col" className="py-2 pl-4 text-left font-normal">
              {words.kind}
            </th>
            {ways.map((way) => (
              <th key={way} scope="col" className="w-17 py-2 font-normal last:pr-2 rail:w-24">
                {words.ways[way]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {settings.map((it) => (
            <Kind
              key={it.setting_cd}
              setting={it}
              onChange={(way, on) => void change(it.setting_cd, way, on)}
            />
          ))}
        </tbody>
      </table>
      <p className="px-4 pt-4 text-sm text-soft">{words.foot}</p>
    </div>
  )
}

interface KindProps {
  setting: NotificationSetting
  onChange: (way: NotificationChannel, on: boolean) => void
}

function Kind({ setting, onChange }: KindProps) {
  const label = words.kinds[setting.setting_cd]
  return (
    <tr className="border-t border-line">
      <th scope="row" className="py-2 pl-4 text-left font-normal">
        {label}
      </th>
      {ways.map((way) => (
        <td key={way} className="py-1.5 last:pr-2">
          <span className="flex justify-center">
            <Toggle
              label={`${label}：${words.ways[way]}`}
              checked={setting[way]}
              onChange={(on) => onChange(way, on)}
            />
          </span>
        </td>
      ))}
    </tr>
  )
}

// NotificationTable: switches for each kind of notification and channel.
import { useSuspenseQuery } from '@tanstack/react-query'
import type { NotificationSetting, NotificationChannel } from '#contract/accounts/settings.ts'
import { notificationText } from './text.ts'
import { Toggle } from '#src/ui/fields/toggle.tsx'
import { notificationQuery, useChangeChannel } from './settings.ts'

const words = notificationText
const channels = ['in_app', 'push', 'mail'] as const satisfies readonly NotificationChannel[]

export function NotificationTable() {
  const { settings } = useSuspenseQuery(notificationQuery).data
  const change = useChangeChannel()
  return (
    <div className="pb-8">
      <p className="px-4 pt-5 pb-4 text-soft">{words.lead}</p>
      <table className="w-full border-y border-line">
        <thead>
          <tr className="text-sm text-soft">
            <th scope="col" className="py-2 pl-4 text-left font-normal">
              {words.kind}
            </th>
            {channels.map((channel) => (
              <th key={channel} scope="col" className="w-17 py-2 font-normal last:pr-2 rail:w-24">
                {words.channels[channel]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {settings.map((it) => (
            <Kind
              key={it.setting_cd}
              setting={it}
              onChange={(channel, on) => void change(it.setting_cd, channel, on)}
            />
          ))}
        </tbody>
      </table>
      <p className="px-4 pt-4 text-sm text-soft">{words.foot}</p>
    </div>
  )
}

/** Messages have their own list and count, and are no notifications of the app. */
const hasChannel = ({ setting_cd: code }: NotificationSetting, channel: NotificationChannel) =>
  code !== 'message' || channel !== 'in_app'

interface KindProps {
  setting: NotificationSetting
  onChange: (channel: NotificationChannel, on: boolean) => void
}

function Kind({ setting, onChange }: KindProps) {
  const label = words.kinds[setting.setting_cd]
  return (
    <tr className="border-t border-line">
      <th scope="row" className="py-2 pl-4 text-left font-normal">
        {label}
      </th>
      {channels.map((channel) => (
        <td key={channel} className="py-1.5 last:pr-2">
          <span className="flex justify-center">
            {hasChannel(setting, channel) ? (
              <Toggle
                label={`${label}：${words.channels[channel]}`}
                checked={setting[channel]}
                onChange={(on) => onChange(channel, on)}
              />
            ) : (
              <span className="text-sm text-soft">{words.none}</span>
            )}
          </span>
        </td>
      ))}
    </tr>
  )
}

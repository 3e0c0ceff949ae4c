// Actions: the gallery's buttons.
import { Bell, Heart, Pause } from 'lucide-react'
import { useState } from 'react'
import { Badge, Mark } from '#src/ui/badge.tsx'
import { Button, type ButtonLook } from '#src/ui/button.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { Shelf } from './shelf.tsx'

const looks: readonly ButtonLook[] = ['seal', 'ink', 'quiet', 'danger']

export function Actions() {
  const [tab, setTab] = useState('new')
  return (
    <>
      {looks.map((look) => (
        <Shelf key={look} name={`Button ${look}`}>
          <Button look={look}>投稿する</Button>
          <Button look={look} icon={<Heart aria-hidden size={18} />}>
            気に入る
          </Button>
          <Button look={look} size="small">
            小さい
          </Button>
          <Button look={look} size="pill">
            投稿
          </Button>
          <Button look={look} busy busyLabel="処理中">
            処理中です
          </Button>
          <Button look={look} disabled>
            使えません
          </Button>
        </Shelf>
      ))}
      <Shelf name="IconButton">
        <IconButton label="通知" icon={<Bell size={22} />} />
        <IconButton label="使えない通知" icon={<Bell size={22} />} disabled />
        <IconButton look="over" label="一時停止" icon={<Pause size={20} />} />
        <IconButton look="over-small" label="小さい一時停止" icon={<Pause size={16} />} />
      </Shelf>
      <Shelf name="Badge, Mark">
        <Badge>有料</Badge>
        <Badge look="good">完了</Badge>
        <Badge look="care">公開待ち</Badge>
        <Badge look="info">お知らせ</Badge>
        <span className="rounded-field bg-edge p-2">
          <Badge look="over">1 / 3</Badge>
        </span>
        <Mark label="未読があります" />
        <Mark count={3} label="未読3件" />
        <Mark count={128} label="未読128件" />
      </Shelf>
      <Shelf name="Tabs">
        <div className="w-full">
          <Tabs
            label="一覧の種類"
            value={tab}
            onChange={setTab}
            tabs={[
              { value: 'following', label: 'フォロー中', panel: <p className="py-3">フォロー中の投稿</p> },
              { value: 'new', label: '新着', panel: <p className="py-3">新着の投稿</p> },
              { value: 'plan', label: 'プラン', panel: <p className="py-3">プランの投稿</p> },
            ]}
          />
        </div>
      </Shelf>
    </>
  )
}

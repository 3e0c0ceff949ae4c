// Feedback: components that show a state.
import { CloudOff, RefreshCw } from 'lucide-react'
import { Avatar } from '#src/ui/avatar.tsx'
import { Banner } from '#src/ui/states/banner.tsx'
import { Brand } from '#src/ui/brand.tsx'
import { Button } from '#src/ui/button.tsx'
import { BarChart } from '#src/ui/chart/bar-chart.tsx'
import { EmptyState, type Drawing } from '#src/ui/states/empty-state.tsx'
import { Money } from '#src/ui/text/money.tsx'
import { ProgressLine, ProgressRing } from '#src/ui/states/progress.tsx'
import { Prose } from '#src/ui/text/prose.tsx'
import { Skeleton } from '#src/ui/states/skeleton.tsx'
import { Spinner } from '#src/ui/states/spinner.tsx'
import { When } from '#src/ui/text/when.tsx'
import { Shelf } from './shelf.tsx'

const drawings: readonly Drawing[] = ['letter', 'lost', 'offline', 'frame']
const icon = <CloudOff aria-hidden size={18} />

export function Feedback() {
  return (
    <>
      <Faces />
      <Progress />
      <Banners />
      <Texts />
      <Charts />
      <EmptyStates />
    </>
  )
}

function Faces() {
  return (
    <Shelf name="Brand, Avatar">
      <Brand name="とどけ" />
      {([28, 40, 48, 88] as const).map((size) => (
        <Avatar key={size} name="夕暮" src={null} size={size} />
      ))}
      <Avatar name="絵" src="/icons/icon.svg" size={48} />
      <Avatar name="壊れた絵" src="/icons/nothing.png" size={48} />
    </Shelf>
  )
}

function Progress() {
  return (
    <Shelf name="ProgressLine, ProgressRing, Spinner, Skeleton">
      <div className="flex w-48 flex-col gap-4 py-3">
        <ProgressLine label="送信" value={42} look="seal" />
        <ProgressLine label="保存" value={80} />
        <ProgressLine label="完了" value={100} look="good" />
      </div>
      <ProgressRing label="送信" value={42} look="seal" />
      <ProgressRing label="待機" value={0} />
      <ProgressRing label="完了" value={100} look="good" />
      <Spinner label="読み込み中" />
      <Skeleton className="h-10 w-40" />
    </Shelf>
  )
}

function Banners() {
  return (
    <Shelf name="Banner">
      <div className="w-full">
        <Banner icon={icon}>オフラインです。最後に読み込んだ内容を表示しています。</Banner>
        <Banner
          look="info"
          icon={<RefreshCw aria-hidden size={18} />}
          action={
            <Button look="quiet" size="small">
              更新する
            </Button>
          }
        >
          新しいバージョンがあります。
        </Banner>
        <Banner look="care" icon={icon}>
          空き容量が少なくなっています。
        </Banner>
        <Banner look="good" icon={icon}>
          本人確認が完了しました。
        </Banner>
        <Banner
          look="error"
          icon={icon}
          action={
            <span className="flex gap-2">
              <Button look="quiet" size="small">
                コピー
              </Button>
              <Button look="quiet" size="small">
                閉じる
              </Button>
            </span>
          }
        >
          潮見はるさんへのコメントを送信できませんでした。見つかりませんでした。削除されたか、非公開になっている可能性があります。
        </Banner>
      </div>
    </Shelf>
  )
}

function Texts() {
  return (
    <Shelf name="Money, When, Prose">
      <Money amount={1200} text="1,200円" note="（税込）" />
      <When at="2026-03-05T03:30:00.000Z" format={() => '5分前'} whole="2026年3月5日 12:30" />
      <Prose text={'改行も\nそのまま。 https://example.com/minato をご覧ください。'} />
    </Shelf>
  )
}

function Charts() {
  const values = [12, 3, 0, 48, 21, 7, 33]
  return (
    <Shelf name="BarChart">
      <div className="w-full">
        <BarChart
          label="日ごとの閲覧数"
          columns={['日付', '閲覧数']}
          axisText={String}
          tableLabel="表で見る"
          bars={values.map((value, i) => ({
            name: `11月${i + 1}日`,
            tick: `11/${i + 1}`,
            value,
            text: String(value),
          }))}
        />
      </div>
    </Shelf>
  )
}

function EmptyStates() {
  return (
    <Shelf name="EmptyState">
      {drawings.map((drawing) => (
        <EmptyState
          key={drawing}
          drawing={drawing}
          title="まだ投稿がありません"
          text="最初の投稿を届けてみましょう。"
          action={<Button look="quiet">投稿する</Button>}
        />
      ))}
    </Shelf>
  )
}

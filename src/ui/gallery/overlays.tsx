// Overlays: the gallery's sheets, dialogs, menus and toasts.
import { LogOut, UserRound } from 'lucide-react'
import { useState } from 'react'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { Button } from '#src/ui/button.tsx'
import { Menu } from '#src/ui/overlays/menu.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { toast, type ToastType } from '#src/ui/overlays/toast.ts'
import { TopLine } from '#src/ui/states/top-line.tsx'
import { Shelf } from './shelf.tsx'

const types: readonly ToastType[] = ['default', 'info', 'success', 'warning', 'error']

type Open = 'sheet' | 'alert' | 'fact'

export function Overlays() {
  const [open, setOpen] = useState<Open>()
  const [loading, setLoading] = useState(false)
  return (
    <div className="my-6 rounded-media border border-line p-5">
      <Shelf name="Sheet, AlertDialog, Menu, Toast, TopLine">
        <Button look="quiet" onClick={() => setOpen('sheet')}>
          シート
        </Button>
        <Button look="quiet" onClick={() => setOpen('alert')}>
          確認
        </Button>
        <Button look="quiet" onClick={() => setOpen('fact')}>
          知らせ
        </Button>
        <MenuOfAll />
        {types.map((type) => (
          <Button key={type} look="quiet" onClick={() => toast(`${type}：投稿が完了しました。`, type)}>
            {type}
          </Button>
        ))}
        <Button look="quiet" onClick={() => setLoading(!loading)}>
          {loading ? '読み込みを終える' : '読み込む'}
        </Button>
      </Shelf>
      <TopLine active={loading} after={200} duration={2000} />
      <Opened is={open} onClose={() => setOpen(undefined)} />
    </div>
  )
}

/** A menu with every kind of entry. */
function MenuOfAll() {
  return (
    <Menu
      align="start"
      trigger={<Button look="quiet">メニュー</Button>}
      heading={<p className="font-semibold">夕暮</p>}
      items={[
        { is: 'action', label: 'プロフィール', icon: <UserRound size={20} />, onSelect: () => {} },
        {
          is: 'action',
          label: '使えない項目',
          icon: <UserRound size={20} />,
          disabled: true,
          onSelect: () => {},
        },
        { is: 'separator' },
        { is: 'action', label: '削除', danger: true, icon: <LogOut size={20} />, onSelect: () => {} },
      ]}
    />
  )
}

function Opened({ is, onClose }: { is: Open | undefined; onClose: () => void }) {
  return (
    <>
      <Sheet
        open={is === 'sheet'}
        onOpenChange={onClose}
        title="公開範囲"
        description="だれが見られるかを選びます。"
        closeLabel="閉じる"
        footer={
          <Button wide onClick={onClose}>
            決定
          </Button>
        }
      >
        <p className="h-60">中身</p>
      </Sheet>
      <AlertDialog
        open={is === 'alert'}
        onOpenChange={onClose}
        title="送信を取り消しますか"
        description="内容は下書きとして残ります。"
        cancel="続ける"
        action={{ label: '取り消す', danger: true, onSelect: onClose }}
      />
      <AlertDialog open={is === 'fact'} onOpenChange={onClose} title="投稿が完了しました。" cancel="閉じる" />
    </>
  )
}

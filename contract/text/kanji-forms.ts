// Forms of kanji that people write for one another, and old forms.

/**
 * Groups of forms of one kanji; the first is the one that is searched. They are variants in names that phones offer late or not at all, and
 * old forms (旧字体) of 常用漢字. NFKC unites none of them.
 */
const groups =
  '高髙 崎﨑嵜 辺邉邊 斎斉齋齊 浜濵濱 徳德 島嶋嶌 沢澤 桜櫻 広廣 真眞 国國 条條 瀬瀨 竜龍 恵惠 栄榮 学學 円圓 蔵藏 寿壽 曽曾 淵渕渊 館舘 吉𠮷 静靜 桑桒 ' +
  '関關 鉄鐵銕 実實 万萬 与與 亜亞 来來 仏佛 会會 伝傳 余餘 価價 児兒 党黨 体體 剣劍劔 剤劑 労勞 効效 勅敕 励勵 勲勳 区區 医醫 単單 厳嚴 双雙 収收 叙敍 台臺 号號 ' +
  '営營 嘱囑 囲圍 図圖 団團 圧壓 堕墮 塁壘 塩鹽 増增 壊壞 壌壤 売賣 変變 奥奧 奨奬 妊姙 嬢孃 宝寶寳 写寫 寛寬 対對 専專 将將 尽盡 届屆 属屬 岳嶽 峡峽 巌巖 巣巢 巻卷 帯帶 ' +
  '庁廳 廃廢 弁辨瓣辯 弐貳貮 弥彌 弾彈 当當 径徑 従從 応應 恋戀 悩惱 悪惡 慎愼 懐懷 戦戰 戯戲 戸戶 払拂 抜拔 択擇 拝拜 拠據 拡擴 挙擧 挟挾 挿插 捜搜 掲揭 揺搖 摂攝 撃擊 数數 ' +
  '断斷 旧舊 昼晝 晋晉 暁曉 暦曆 朗郞 枢樞 栃杤 検檢 楼樓 楽樂 概槪 様樣 権權 横橫 檜桧 欠缺 欧歐 歓歡 歩步 歯齒 歴歷 残殘 殴毆 殻殼 毎每 気氣 沖冲 浄淨 浅淺 涙淚 渇渴 済濟 渉涉 渋澁 ' +
  '渓溪 温溫 湾灣 湿濕 満滿 滝瀧 潜潛 灯燈 炉爐 点點 為爲 焼燒 犠犧 状狀 独獨 狭狹 猟獵 献獻 獣獸 瓶甁 画畫 畳疊 痩瘦 痴癡 発發 県縣 研硏 砕碎 礼禮 禅禪 秘祕 称稱 稲稻 穂穗 穏穩 穣穰 窃竊 ' +
  '粋粹 粛肅 糸絲 経經 絵繪 継繼 続續 総總 緑綠 緒緖 縁緣 縄繩 縦縱 繊纖 缶罐 聡聰 声聲 聴聽 脳腦 胆膽 臓臟 舎舍 芸藝 茎莖 荘莊 蛍螢 虫蟲 蚕蠶 蛮蠻 衛衞 装裝 覚覺 覧覽 観觀 触觸 訳譯 証證 ' +
  '誉譽 読讀 謡謠 譲讓 豊豐 予豫 賛贊 践踐 転轉 軽輕 辞辭 逓遞 遅遲 遥遙 郷鄕 酔醉 醸釀 釈釋 銭錢 鋳鑄 錬鍊 録錄 鎮鎭 陥陷 険險 隠隱 隣鄰 雑雜 霊靈 青靑 頼賴 顕顯 顔顏 駅驛 駆驅 騒騷 験驗 髄髓 闘鬭 鶏鷄 麦麥 ' +
  '黄黃 黒黑 黙默 歳歲 凛凜 晃晄 峰峯 秋穐 杉杦 柳栁 梅楳 松枩 富冨 船舩 崖崕 裏裡 ' +
  '鶴靏靍 土圡𡈽 橋𣘺槗 清淸 姫姬 亀龜 野埜 園薗 村邨 哲喆 頴穎 磯礒 教敎 尚尙 内內 呉吳 悦悅 説說 鋭銳 税稅 脱脫 閲閱 即卽 既旣 齢齡 壱壹 参參 両兩 乗乘 乱亂 仮假 偽僞 勧勸 圏圈 壮壯 携攜 強强 ' +
  '恒恆 没沒 滞滯 争爭 盗盜 並竝 絶絕 処處 随隨 帰歸 寝寢 担擔 薬藥 鉱鑛 戻戾 虚虛 覇霸 駄馱 禄祿 薫薰 槙槇 亘亙 瑶瑤 鴎鷗 麹麴 蝉蟬 莱萊 籠篭 薮藪 芦蘆 昇曻 枡桝 倶俱 焔焰 祷禱 蒋蔣 迩邇 祢禰 壷壺 讃讚 舗舖 鴬鶯 諌諫 厩廐 翻飜 衆眾 兎兔 竈竃'

export const kanjiGroups: readonly (readonly string[])[] = groups.split(' ').map((it) => Array.from(it))

const commonOf = new Map(
  kanjiGroups.flatMap(([common = '', ...others]) => others.map((it) => [it, common] as const)),
)

/** The text with the common form of each kanji. A common form stays, so that a second time changes nothing. */
export const commonKanji = (text: string): string =>
  text.replace(/\p{sc=Han}/gu, (it) => commonOf.get(it) ?? it)

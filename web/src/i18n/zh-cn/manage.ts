import type { Messages } from "../messages.ts";

type Manage = Pick<
  Messages,
  | "verdicts"
  | "consistency"
  | "audit"
  | "doctor"
  | "templates"
  | "settings"
  | "tokens"
  | "users"
  | "rolesTable"
  | "workers"
  | "options"
>;

export const manage: Manage = {
  verdicts: { missing: "缺失", orphaned: "孤立", different: "不同", foreign: "不属于 Drover", unknown: "未知" },
  consistency: {
    title: "一致性",
    checked: "检查于",
    never: "尚有集群未检查过",
    check: "立即检查",
    differences: "差异",
    none: "完全一致",
    noneText: "存储的与存在的相同。",
    verdict: "结论",
    system: "系统",
    what: "差异内容",
    repair: "修复",
    noRepair: "此处无需处理",
    repairSafe: (count) => `修复全部安全项（${count}）`,
    repairTitle: (count) => `修复 ${count} 处差异`,
  },
  doctor: {
    title: "诊断",
    text: "每个工作进程对其所在主机的检查结果。",
    none: "还没有工作进程检查过。",
    check: "检查项",
    result: "结果",
    detail: "发现",
    next: "下一步",
    results: { ok: "正常", warning: "警告", problem: "问题" },
  },
  audit: {
    title: "审计",
    intact: (entries) => `共 ${entries} 条，链条完整。`,
    broken: (entry) => `链条在第 ${entry} 条断裂：日志在 Drover 之外被更改。`,
    export: "导出",
    filter: "对象名称",
    actor: "操作者",
    action: "操作",
    object: "对象",
    address: "来源",
    when: "时间",
    hash: "哈希",
    none: "还没有任何更改。",
  },
  templates: {
    title: "模板",
    create: "新建模板",
    use: "创建集群",
    useTitle: (name) => `用 ${name} 创建集群`,
    description: "说明",
    parameters: "参数",
    changed: "最近修改",
    none: "还没有模板",
    noneText: "模板是带参数的文档，用于创建同类集群。",
    help: (mark) => `文档中的 ${mark} 代表同名参数。`,
    deleteText: "用它创建的集群保持不变。",
  },
  settings: {
    title: "设置",
    sections: {
      profile: "个人",
      tokens: "令牌",
      users: "用户",
      roles: "角色",
      workers: "工作进程",
      options: "选项",
    },
    about: "关于您",
    displayName: "显示名称",
    scopes: "范围",
    everything: "全部",
    password: "密码",
    currentPassword: "当前密码",
    newPassword: "新密码",
    passwordText: "至少 12 个字符。",
    changePassword: "修改密码",
    passwordChanged: "密码已修改。",
    sessions: "打开的会话",
    browser: "浏览器",
    since: "开始于",
    thisOne: "当前会话",
    end: "结束",
  },
  tokens: {
    none: "还没有令牌。",
    owner: "所有者",
    used: "最近使用",
    ends: "到期",
    never: "从未",
    create: "新建令牌",
    nameText: "用途。",
  },
  users: {
    create: "新建用户",
    external: "通过 OpenID 登录",
    roleOf: (name) => `${name} 的角色`,
    enable: "启用",
    disable: "停用",
    scopeText: "限制用户可见与可操作范围的标签选择算符；留空则为全部。",
  },
  rolesTable: {
    ability: "权限",
    read: "查看集群、任务和日志",
    change: "声明、修改和删除集群",
    access: "签发 kubeconfig",
    batch: "批量操作集群",
    people: "管理用户和所有人的令牌",
    audit: "查看审计日志",
    settings: "修改设置、排空工作进程",
    yes: "可以",
    no: "不可以",
  },
  workers: { version: "版本", drain: "排空" },
  options: { name: "选项", value: "值", source: "设置来源", hidden: "已隐藏", byDefault: "默认" },
};

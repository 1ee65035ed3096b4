import { can } from "../../api/session.ts";
import { Page } from "../../parts/Page.tsx";
import { Tabs } from "../../parts/Tabs.tsx";
import { ChangeTab } from "./ChangeTab.tsx";
import { InfoTab } from "./InfoTab.tsx";
import { LimitsTab } from "./LimitsTab.tsx";
import { ValuesTab } from "./ValuesTab.tsx";

export default function ConfigurationPage() {
  const values = can("readConfiguration") ? [{ id: "values", title: "Values", show: () => <ValuesTab /> }] : [];
  const change = can("manageConfiguration") ? [{ id: "change", title: "Change", show: () => <ChangeTab /> }] : [];
  return (
    <Page title="Configuration">
      <Tabs
        label="What is shown of the configuration"
        tabs={[
          ...values,
          ...change,
          { id: "limits", title: "Limits", show: () => <LimitsTab /> },
          { id: "gateway", title: "This gateway", show: () => <InfoTab /> },
        ]}
      />
    </Page>
  );
}

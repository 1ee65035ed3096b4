using Gateway.Interop.Scripts;

namespace Gateway.Interop.Services;

/// <summary>ServerDiagnostics as node-opcua's client sees it: diagnostics.js.</summary>
[Collection(nameof(ServicesCollection))]
public sealed class DiagnosticsTests(ServicesFixture fixture)
{
    [PeerFact]
    public async Task Sessions_ReadByOneOfThem_CountWhatItDid()
    {
        CaseResult result = await CaseAsync("session");

        result.Expect("uri", "urn:interop:client");
        result.Expect("subscriptions", 1);
        result.Expect("items", 2);
        result.ExpectAll("write", 3, 0);
        result.ExpectAll("browse", 1, 1);
        result.ExpectAll("setPublishingMode", 1, 1);
        result.ExpectAll("createMonitoredItems", 1, 0);
        result.ExpectAll("call", 0, 0);
        result.Expect("errors", 2);
        result.Expect("publishes", true);
    }

    [PeerFact]
    public async Task Subscriptions_Read_AgreeWithTheClientAndTheSummary()
    {
        CaseResult result = await CaseAsync("subscriptions");

        result.Expect("own", true);
        result.Expect("priority", 7);
        result.Expect("interval", 50);
        result.Expect("items", 1);
        result.Expect("notifications", 1);
        result.Expect("unacknowledged", 1);
        result.Expect("next", 1);
        result.Expect("current", true);
        result.Expect("intervals", true);
        result.Expect("sessions", true);
    }

    [PeerFact]
    public async Task SessionSecurity_AdminOnAnEncryptedChannel_IsForHimAlone()
    {
        CaseResult result = await CaseAsync("security");

        result.Expect("anonymous", "Anonymous");
        result.Expect("user", "admin");
        result.Expect("encoding", "UA Binary");
        result.Expect("transport", "opc.tcp");
        result.Expect("mode", "SignAndEncrypt");
        result.Expect("certificate", true);
        result.Expect("others", "BadNodeIdUnknown");
        result.Expect("withoutEncryption", "BadSecurityModeInsufficient");
    }

    [PeerFact]
    public async Task EnabledFlag_SwitchedByAnEngineer_MakesTheRestUnreadable()
    {
        CaseResult result = await CaseAsync("enabledFlag");

        result.ExpectAll("denied", "BadUserAccessDenied");
        result.ExpectAll("off", "Good");
        result.Expect("statuses", Enumerable.Repeat("BadNotReadable", 4));
        result.Expect("flag", false);
        result.ExpectAll("on", "Good");
        result.Expect("again", "Good");
    }

    [PeerFact]
    public async Task CurrentSessionCount_Monitored_FollowsASessionThatComes()
    {
        CaseResult result = await CaseAsync("monitored");

        result.Expect("more", 1);
        result.Expect("entries", true);
    }

    private Task<CaseResult> CaseAsync(string name) => fixture.CaseAsync("diagnostics.js", name);
}

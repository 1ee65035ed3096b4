using System.Text.Json;
using Gateway.Interop.Scripts;

namespace Gateway.Interop;

/// <summary>AuditEvents as node-opcua's client gets them, or does not. Source: Part 4 §6.5.</summary>
public sealed class AuditEventTests(UserFixture fixture) : IClassFixture<UserFixture>
{
    private const string Writable = "ns=2;s=Int32";

    [PeerFact]
    public async Task Watch_ByAnAuditor_WrongLoginAndWriteAreToldToHimAlone()
    {
        JsonElement result = await fixture.RunAsync("audit.js", new { writable = Writable });

        Assert.Equal("Good", result.GetProperty("write").GetString());
        JsonElement login = result.GetProperty("login");
        Assert.Equal("Session/ActivateSession", login.GetProperty("source").GetString());
        Assert.True(login.GetProperty("hasTime").GetBoolean(), result.GetRawText());
        JsonElement written = result.GetProperty("written");
        Assert.Equal("Attribute/Write", written.GetProperty("source").GetString());
        Assert.Equal(Writable, written.GetProperty("node").GetString());
        Assert.True(written.GetProperty("ok").GetBoolean(), result.GetRawText());
        Assert.Equal("operator", written.GetProperty("user").GetString());
        Assert.Equal(4711, written.GetProperty("value").GetInt32());
        Assert.Equal(0, result.GetProperty("isInClear").GetInt32());
        Assert.Equal(0, result.GetProperty("others").GetInt32());
        Assert.False(result.GetProperty("secrets").GetBoolean(), result.GetRawText());
    }
}

using System.Net;
using System.Text.Json;
using Gateway.Admission;
using Gateway.Admission.Explain;
using Gateway.Admission.Stages;
using Gateway.Codec.Types;
using Gateway.Host.Http;

namespace Gateway.Tests.Http;

public sealed class AdmissionJsonTests
{
    private readonly AdmissionControl _control = new(new AdmissionLimits(), TimeProvider.System, true, 200);
    private readonly AdmissionExplainer _explainer;

    public AdmissionJsonTests() => _explainer = new AdmissionExplainer(_control, new Dictionary<string, object>
    {
        ["MaxSessions"] = 12_000,
        ["DoorPatience"] = TimeSpan.FromSeconds(4),
        ["MaxSessionsPerAddress"] = 5,
    });

    [Fact]
    public void Write_Report_StagesWithLimitsAndAdvice()
    {
        _control.Refuse(AdmissionStage.CreateSession, RefusalReason.MaxSessions, "127.0.0.1", null, null);
        _control.Stages.Describe(AdmissionStage.CreateSession, 12_000, () => 12_000, () => 3);

        var report = Parse(AdmissionJson.Write(_explainer.Report(), _explainer));

        Assert.Equal(
            ["at", "enabled", "handshakes", "stages", "busiest", "advice"],
            report.EnumerateObject().Select(property => property.Name));
        var stage = report.GetProperty("stages").EnumerateArray()
            .Single(one => one.GetProperty("stage").GetString() == "create_session");
        Assert.Equal("""{"name":"MaxSessions","value":12000}""", stage.GetProperty("limit").GetRawText());
        Assert.Equal(12_000, stage.GetProperty("inUse").GetInt32());
        Assert.Equal(3, stage.GetProperty("waiting").GetInt32());
        Assert.Equal(
            """[{"reason":"max_sessions","count":1,"limit":{"name":"MaxSessions","value":12000}}]""",
            stage.GetProperty("lastMinute").GetProperty("refusals").GetRawText());
        var advice = Assert.Single(report.GetProperty("advice").EnumerateArray());
        Assert.Contains("raise `Limits:MaxSessions` above 12,000", advice.GetProperty("text").GetString());
    }

    [Fact]
    public void Write_Decisions_NewestFirstWithLimitAndHint()
    {
        _control.Refuse(AdmissionStage.CreateSession, RefusalReason.MaxSessions, IPAddress.Loopback, "all in use");
        _control.Refuse(AdmissionStage.Connection, RefusalReason.WaitedTooLong, IPAddress.Parse("127.0.0.9"));

        var decisions = Parse(AdmissionJson.Write(_control.Decisions, _explainer));

        Assert.Equal(2, decisions.GetProperty("total").GetInt64());
        var (newest, older) = (decisions.GetProperty("decisions")[0], decisions.GetProperty("decisions")[1]);
        Assert.Equal("127.0.0.9", newest.GetProperty("address").GetString());
        Assert.Equal("waited_too_long", newest.GetProperty("reason").GetString());
        Assert.Equal("BadTcpServerTooBusy", newest.GetProperty("status").GetString());
        Assert.Equal("00:00:04", newest.GetProperty("limit").GetProperty("value").GetString());
        Assert.InRange(newest.GetProperty("retryAfterMs").GetInt32(), 1, 60_000);
        Assert.Equal("BadTooManySessions", older.GetProperty("status").GetString());
        Assert.Equal("all in use", older.GetProperty("detail").GetString());
        Assert.False(older.TryGetProperty("subject", out _));
    }

    [Fact]
    public void Write_RefusalOfAUser_NamesHimCleaned()
    {
        _control.Note(
            AdmissionStage.Request, RefusalReason.AccessDenied, StatusCodes.BadUserAccessDenied, null, "127.0.0.1",
            "needs the role Operator", "anna\r\n");

        var decision = Parse(AdmissionJson.Write(_control.Decisions, _explainer)).GetProperty("decisions")[0];

        Assert.Equal("anna\\u000D\\u000A", decision.GetProperty("user").GetString());
    }

    [Fact]
    public void Write_PeersText_CleanedAndCut()
    {
        var client = _control.Clients.Certificate("AA11");
        client.Subject = "CN=\"x\"\r\n\u0007\u2028" + new string('y', 1_000);
        _control.Refuse(AdmissionStage.Open, RefusalReason.QueueFull, "127.0.0.1", client, null);

        var text = AdmissionJson.Write(_control.Decisions, _explainer);
        var subject = Parse(text).GetProperty("decisions")[0].GetProperty("subject").GetString()!;

        Assert.StartsWith("CN=\"x\"\\u000D\\u000A\\u0007\\u2028yyy", subject);
        Assert.Equal(160, subject.Length);
        Assert.False(text.Span.ContainsAnyInRange((byte)0, (byte)0x1F));
    }

    private static JsonElement Parse(ReadOnlyMemory<byte> text)
    {
        using var document = JsonDocument.Parse(text);
        return document.RootElement.Clone();
    }
}

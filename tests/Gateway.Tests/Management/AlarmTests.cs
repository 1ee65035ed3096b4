using System.Text.Json;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Publish;
using Gateway.Tests.Rest;

namespace Gateway.Tests.Management;

/// <summary>The alarms over HTTP: found, answered, and what became of them.</summary>
[Collection(RestFixture.Name)]
public sealed class AlarmTests(RestFixture fixture)
{
    private const string Path = "/api/v1/alarms";

    private readonly RestGateway _gateway = fixture.Gateway;

    private ConditionTable Conditions => _gateway.Host.Get<PublishEngine>().Conditions;

    [Fact]
    public async Task Alarms_ActiveAnsweredAndOver_AreInTheirLists()
    {
        Report("rest", isActive: true);
        var alarm = await FindAsync("active", "rest");
        Assert.Contains(";s=Alarms/test/rest", alarm.GetProperty("alarm").GetString());
        Assert.StartsWith("nsu=", alarm.GetProperty("alarm").GetString());
        Assert.Equal(650, alarm.GetProperty("severity").GetInt32());
        Assert.False(alarm.GetProperty("acknowledged").GetBoolean());

        Assert.Equal(200, await AnswerAsync("acknowledge", alarm, "seen"));
        Assert.Equal(409, await AnswerAsync("acknowledge", alarm, ""));
        Assert.Equal(409, await AnswerAsync("confirm", alarm, ""));
        Assert.Equal(200, await AnswerAsync("comment", alarm, "spare part ordered"));

        alarm = await FindAsync("active", "rest");
        Assert.Equal("spare part ordered", alarm.GetProperty("comment").GetString());
        Assert.Equal("operator", alarm.GetProperty("user").GetString());
        Assert.True(alarm.GetProperty("acknowledged").GetBoolean());
        Report("rest", isActive: false);
        var (_, answer) = await RestGateway.GetAsync(_gateway.Observer, Path);
        Assert.DoesNotContain(
            answer.GetProperty("active").EnumerateArray(), static one => one.GetProperty("name").GetString() == "rest");
        Assert.False((await FindAsync("recent", "rest")).GetProperty("retain").GetBoolean());
    }

    [Fact]
    public async Task Alarms_Limit_GivesTheMostSevereAndHowManyThereAre()
    {
        foreach (var (name, severity) in new[] { ("minor", 950), ("major", 990), ("medium", 970) })
            Conditions.Report(DefinitionOf(name), true, (ushort)severity, "words");
        var (_, answer) = await RestGateway.GetAsync(_gateway.Observer, Path + "?limit=2");
        Assert.Equal(
            ["major", "medium"],
            answer.GetProperty("active").EnumerateArray().Select(static one => one.GetProperty("name").GetString()));
        Assert.Equal(2, answer.GetProperty("recent").GetArrayLength());
        Assert.Equal(Conditions.Read(retainedOnly: true).Count, answer.GetProperty("total").GetInt32());
        foreach (var wrong in new[] { "0", "-1", "x", "1.5", "99999999999" })
            Assert.Equal(400, (await RestGateway.GetAsync(_gateway.Observer, $"{Path}?limit={wrong}")).Status);
    }

    [Fact]
    public async Task Answer_WrongThings_HaveTheirStatus()
    {
        Report("wrong", isActive: true);
        var alarm = await FindAsync("active", "wrong");
        var id = alarm.GetProperty("alarm").GetString();
        Assert.Equal(400, await SendAsync("acknowledge", "[]"));
        Assert.Equal(400, await SendAsync("acknowledge", $$"""{"alarm": "{{id}}", "eventId": "no Base64!"}"""));
        Assert.Equal(404, await SendAsync("acknowledge", $$"""{"alarm": "{{id}}", "eventId": "AAAA"}"""));
        Assert.Equal(404, await SendAsync("acknowledge", """{"alarm": "no id", "eventId": "AAAA"}"""));
        Assert.Equal(400, await AnswerAsync("acknowledge", alarm, new string('x', 2000)));
        Conditions.Call(DefinitionOf("wrong").ConditionId, new ConditionCall(ConditionAct.Disable, null));
        Assert.Equal(409, await AnswerAsync("acknowledge", alarm, ""));
    }

    [Theory]
    [InlineData("acknowledge")]
    [InlineData("confirm")]
    [InlineData("comment")]
    public async Task Answer_WithoutTheRole_IsForbidden(string act)
    {
        const string Body = """{"alarm": "ns=1;s=Alarms/test/none", "eventId": "AAAA"}""";
        HttpClient[] users = [_gateway.Observer, _gateway.Operator, _gateway.Engineer, _gateway.SecurityAdmin];
        var found = new List<int>();
        foreach (var user in users)
            found.Add((await RestGateway.SendAsync(user, HttpMethod.Post, $"{Path}/{act}", Body)).Status);
        Assert.Equal([403, 404, 404, 403], found);
    }

    [Fact]
    public void CountActive_BySeverity_CountsEachOnce()
    {
        var before = Conditions.CountActive(601, 800);
        Report("counted", isActive: true);
        Assert.Equal(before + 1, Conditions.CountActive(601, 800));
        Report("counted", isActive: false);
        Assert.Equal(before, Conditions.CountActive(601, 800));
    }

    private static ConditionDefinition DefinitionOf(string name) => new()
    {
        ConditionId = new NodeId($"Alarms/test/{name}", 1),
        Layout = ConditionLayouts.SystemOffNormal,
        ConditionName = name,
        SourceName = "Server",
    };

    private void Report(string name, bool isActive) => Conditions.Report(DefinitionOf(name), isActive, 650, "words");

    private async Task<JsonElement> FindAsync(string list, string name)
    {
        var (status, answer) = await RestGateway.GetAsync(_gateway.Observer, Path);
        Assert.Equal(200, status);
        return answer.GetProperty(list).EnumerateArray().First(one => one.GetProperty("name").GetString() == name);
    }

    private Task<int> AnswerAsync(string act, JsonElement alarm, string comment) => SendAsync(
        act, JsonSerializer.Serialize(new
        {
            alarm = alarm.GetProperty("alarm").GetString(),
            eventId = alarm.GetProperty("eventId").GetString(),
            comment,
        }));

    private async Task<int> SendAsync(string act, string body) =>
        (await RestGateway.SendAsync(_gateway.Operator, HttpMethod.Post, $"{Path}/{act}", body)).Status;
}

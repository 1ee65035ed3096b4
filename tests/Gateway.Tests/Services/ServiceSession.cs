using System.Text.Json;

namespace Gateway.Tests.Services;

/// <summary>A session over HTTP: puts its token into every request.</summary>
internal sealed class ServiceSession
{
    private readonly HttpClient _client;

    private ServiceSession(HttpClient client, string token) => (_client, Token) = (client, token);

    public string Token { get; }

    public static async Task<ServiceSession> CreateAsync(HttpClient client)
    {
        var (http, json) = await client.CallAsync(
            "createsession",
            """
            {"SessionName":"web","ClientDescription":{"ApplicationUri":"urn:test:web"},
              "RequestedSessionTimeout":60000}
            """);
        Assert.Equal((200, 0u), (http, json.ResultOf()));
        return new ServiceSession(client, json.GetProperty("AuthenticationToken").GetString()!);
    }

    /// <summary>For HTTP's user.</summary>
    public static async Task<ServiceSession> OpenAsync(HttpClient client)
    {
        var session = await CreateAsync(client);
        await session.CallAsync("activatesession");
        return session;
    }

    /// <summary>With the interval's subscription and one item of the node; the id of the subscription.</summary>
    public async Task<uint> SubscribeAsync(string node, double interval = 10, uint keepAlives = 1000)
    {
        var subscription = await CallAsync(
            "createsubscription",
            $$"""
            "RequestedPublishingInterval":{{interval}},"RequestedLifetimeCount":10000,
            "RequestedMaxKeepAliveCount":{{keepAlives}},"PublishingEnabled":true
            """);
        var id = subscription.GetProperty("SubscriptionId").GetUInt32();
        var items = await CallAsync(
            "createmonitoreditems",
            $$$"""
            "SubscriptionId":{{{id}}},"TimestampsToReturn":2,"ItemsToCreate":[{"ItemToMonitor":{"NodeId":"{{{node}}}",
            "AttributeId":13},"MonitoringMode":2,"RequestedParameters":{"ClientHandle":5,"SamplingInterval":-1,
            "QueueSize":1}}]
            """);
        Assert.Equal(0u, items.GetProperty("Results")[0].CodeOf("StatusCode"));
        return id;
    }

    /// <summary>Good.</summary>
    public async Task<JsonElement> CallAsync(string service, string members = "")
    {
        var (http, json) = await AskAsync(_client, service, members);
        Assert.Equal((200, 0u), (http, json.ResultOf()));
        return json;
    }

    /// <summary>The fault.</summary>
    public async Task<uint> FaultAsync(string service, string members = "") =>
        (await AskAsync(_client, service, members)).Json.ResultOf();

    /// <summary>With the session's token, by whichever user.</summary>
    public Task<(int Http, JsonElement Json)> AskAsync(
        HttpClient client, string service, string members = "", CancellationToken cancellationToken = default)
    {
        var comma = members.Length > 0 ? "," : "";
        return client.CallAsync(
            service, $$"""{"RequestHeader":{"AuthenticationToken":"{{Token}}"}{{comma}}{{members}}}""",
            cancellationToken);
    }
}

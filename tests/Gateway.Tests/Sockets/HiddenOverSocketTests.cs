using System.Net.WebSockets;
using System.Text;
using System.Text.RegularExpressions;
using Gateway.Testing;
using Gateway.Tests.Rest;

namespace Gateway.Tests.Sockets;

/// <summary>A variable and a method that only an Engineer may see, through the WebSockets that carry JSON, and as CSV:
/// for others they are not there (R36).</summary>
[Collection(RestFixture.Name)]
public sealed partial class HiddenOverSocketTests
{
    private const string Secret = HiddenNodes.Secret;

    private readonly RestGateway _gateway;

    public HiddenOverSocketTests(RestFixture fixture)
    {
        _gateway = fixture.Gateway;
        HiddenNodes.AddTo(_gateway);
    }

    /// <summary>With <c>{0}</c> for the node.</summary>
    public static TheoryData<string> Operations =>
    [
        """{"op":"subscribe","nodes":["ns=2;s={0}"]}""",
        """{"op":"subscribe","nodes":["nsu=urn:gateway:simulator;s={0}"]}""",
        """{"op":"subscribe","nodes":["/Objects/2:{0}"]}""",
        """{"op":"unsubscribe","nodes":["ns=2;s={0}"]}""",
        """{"op":"unsubscribe","nodes":["/Objects/2:{0}"]}""",
        """{"op":"write","values":[{"node":"ns=2;s={0}","value":"x"}]}""",
        """{"op":"write","values":[{"node":"/Objects/2:{0}","value":7}]}""",
    ];

    /// <summary>The service's DataType, and its members.</summary>
    public static TheoryData<int, string> Services => new()
    {
        { 629, """ "NodesToRead":[{"NodeId":"ns=2;s={0}","AttributeId":13}] """ },
        { 629, """ "NodesToRead":[{"NodeId":"ns=2;s={0}","AttributeId":3}] """ },
        { 525, """ "NodesToBrowse":[{"NodeId":"ns=2;s={0}","BrowseDirection":2,"ResultMask":63}] """ },
        { 671, """ "NodesToWrite":[{"NodeId":"ns=2;s={0}","AttributeId":13,"Value":{"UaType":12,"Value":"x"}}] """ },
        { 710, """ "MethodsToCall":[{"ObjectId":"ns=2;s=Methods","MethodId":"ns=2;s={0}"}] """ },
        { 710, """ "MethodsToCall":[{"ObjectId":"ns=2;s={0}","MethodId":"ns=2;s=Add"}] """ },
        {
            552,
            """
            "BrowsePaths":[{"StartingNode":"i=85","RelativePath":{"Elements":[
              {"ReferenceTypeId":"i=35","TargetName":"2:{0}"}]}}]
            """
        },
    };

    [Theory]
    [MemberData(nameof(Operations))]
    public async Task Live_HiddenNode_IsAnsweredAsOneThatIsNotThere(string operation)
    {
        foreach (var user in new[] { _gateway.Observer, _gateway.Operator })
        {
            using var client = await LiveClient.OpenAsync(_gateway, user);
            foreach (var hidden in new[] { "Crypt", "Latch" })
                AssertHidden(hidden, await AskAsync(client.Socket, operation, hidden),
                    await AskAsync(client.Socket, operation, "Ghost"));
        }
    }

    [Theory]
    [MemberData(nameof(Services))]
    public async Task OpenApi_HiddenNode_IsAnsweredAsOneThatIsNotThere(int service, string members) =>
        await AssertServiceAsync("opcua+openapi", $$$"""{"ServiceId":"i={{{service}}}","Body":{{{{members}}}}}""");

    [Theory]
    [MemberData(nameof(Services))]
    public async Task UaJson_HiddenNode_IsAnsweredAsOneThatIsNotThere(int service, string members) =>
        await AssertServiceAsync("opcua+uajson", $$"""{"UaTypeId":"i={{service}}",{{members}}}""");

    /// <summary>The table of many nodes, in its order.</summary>
    [Theory]
    [InlineData("GET", "/api/v1/values?node=ns%3D2%3Bs%3D{0}&node=ns%3D2%3Bs%3DInt32", "")]
    [InlineData("GET", "/api/v1/values?node=%2FObjects%2F2%3A{0}", "")]
    [InlineData("GET", "/api/v1/values?node=ns%3D2%3Bs%3D{0}&maxAge=0", "")]
    [InlineData("POST", "/api/v1/values/read", """{"nodes":["ns=2;s={0}","/Objects/2:{0}"]}""")]
    public async Task Csv_HiddenNode_IsAnsweredAsOneThatIsNotThere(string method, string path, string body)
    {
        foreach (var user in new[] { _gateway.Observer, _gateway.Operator })
        {
            foreach (var hidden in new[] { "Crypt", "Latch" })
                AssertHidden(
                    hidden, await CsvAsync(user, method, path, body, hidden),
                    await CsvAsync(user, method, path, body, "Ghost"));
        }
    }

    /// <summary>The tests above would see it.</summary>
    [Fact]
    public async Task Engineer_EveryDoor_ReadsTheSecret()
    {
        using var live = await LiveClient.OpenAsync(_gateway, _gateway.Engineer);
        await live.AskAsync("""{"op":"subscribe","nodes":["ns=2;s=Crypt"],"interval":20}""");
        Assert.Contains(Secret, (await live.NextAsync()).GetRawText(), StringComparison.Ordinal);
        using var service = await OpenAsync(_gateway.Engineer, "opcua+openapi");
        Assert.Contains(
            Secret,
            await AskAsync(
                service,
                """{"ServiceId":"i=629","Body":{"NodesToRead":[{"NodeId":"ns=2;s={0}","AttributeId":13}]}}""", "Crypt"),
            StringComparison.Ordinal);
        Assert.Contains(
            Secret,
            await CsvAsync(_gateway.Engineer, "GET", "/api/v1/values?node=ns%3D2%3Bs%3D{0}", "", "Crypt"),
            StringComparison.Ordinal);
    }

    private async Task AssertServiceAsync(string protocol, string request)
    {
        foreach (var user in new[] { _gateway.Observer, _gateway.Operator })
        {
            using var socket = await OpenAsync(user, protocol);
            foreach (var hidden in new[] { "Crypt", "Latch" })
                AssertHidden(
                    hidden, await AskAsync(socket, request, hidden), await AskAsync(socket, request, "Ghost"));
        }
    }

    private static void AssertHidden(string hidden, string told, string unknown)
    {
        Assert.DoesNotContain(Secret, told, StringComparison.Ordinal);
        Assert.Equal(
            Times().Replace(unknown, "").Replace("Ghost", hidden, StringComparison.Ordinal),
            Times().Replace(told, ""));
    }

    private async Task<ClientWebSocket> OpenAsync(HttpClient user, string protocol)
    {
        var socket = new ClientWebSocket();
        socket.Options.SetRequestHeader("Authorization", user.DefaultRequestHeaders.Authorization!.ToString());
        socket.Options.AddSubProtocol(protocol);
        await socket.ConnectAsync(
            new UriBuilder(_gateway.Host.Client.BaseAddress!) { Scheme = "ws", Path = "/opcua" }.Uri,
            CancellationToken.None).WaitAsync(Patience.Limit);
        return socket;
    }

    private static async Task<string> AskAsync(ClientWebSocket socket, string text, string node)
    {
        await socket.SendAsync(
            Encoding.UTF8.GetBytes(text.Replace("{0}", node, StringComparison.Ordinal)), WebSocketMessageType.Text,
            true, CancellationToken.None).WaitAsync(Patience.Limit);
        using var answer = new MemoryStream();
        var buffer = new byte[16 * 1024];
        WebSocketReceiveResult part;
        do
        {
            part = await socket.ReceiveAsync(buffer, CancellationToken.None).WaitAsync(Patience.Limit);
            answer.Write(buffer, 0, part.Count);
        }
        while (!part.EndOfMessage);
        return Encoding.UTF8.GetString(answer.ToArray());
    }

    private static async Task<string> CsvAsync(HttpClient user, string method, string path, string body, string node)
    {
        using var request = new HttpRequestMessage(
            new HttpMethod(method), path.Replace("{0}", node, StringComparison.Ordinal));
        request.Headers.Accept.ParseAdd("text/csv");
        if (body.Length > 0)
            request.Content = new StringContent(
                body.Replace("{0}", node, StringComparison.Ordinal), Encoding.UTF8, "application/json");
        using var answer = await user.SendAsync(request);
        Assert.StartsWith("text/csv", answer.Content.Headers.ContentType?.ToString(), StringComparison.Ordinal);
        return await answer.Content.ReadAsStringAsync();
    }

    /// <summary>Of the answer, and of a value beside it.</summary>
    [GeneratedRegex("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z")]
    private static partial Regex Times();
}

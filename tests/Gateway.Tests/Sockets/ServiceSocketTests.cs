using System.Buffers.Text;
using System.Globalization;
using System.Net.WebSockets;
using System.Text;
using System.Text.Json;
using Gateway.Codec.Types;
using Gateway.Testing;
using Gateway.Tests.Clock;
using Gateway.Tests.Rest;
using Gateway.Tests.Services;

namespace Gateway.Tests.Sockets;

/// <summary>The services as JSON over a WebSocket, in the envelopes of Part 6 §G.3 and as the messages of
/// Part 6 §5.4.9.</summary>
[Collection(RestFixture.Name)]
public sealed class ServiceSocketTests(RestFixture fixture)
{
    private const string OpenApi = "opcua+openapi";
    private const string UaJson = "opcua+uajson";
    private const int ServiceFault = 395;
    private const string Handle = "\"RequestHeader\":{\"RequestHandle\":8}";
    private const string Nodes = "\"NodesToRead\":[{\"NodeId\":\"ns=2;s=ReadOnly\",\"AttributeId\":13}]";
    private const string OldNodes =
        "\"NodesToRead\":[{\"NodeId\":{\"IdType\":1,\"Id\":\"ReadOnly\",\"Namespace\":2},\"AttributeId\":13}]";
    private const string Times =
        "\"RequestedPublishingInterval\":20,\"RequestedLifetimeCount\":10000,\"RequestedMaxKeepAliveCount\":1000";
    private const string Items =
        "\"ItemsToCreate\":[{\"ItemToMonitor\":{\"NodeId\":\"ns=2;s=ReadOnly\",\"AttributeId\":13},"
        + "\"MonitoringMode\":2,\"RequestedParameters\":{\"SamplingInterval\":-1,\"QueueSize\":1}}]";

    private RestGateway Gateway => fixture.Gateway;

    [Fact]
    public async Task OpenApi_ReadWithoutASession_EnvelopeWithTheResponse()
    {
        Gateway.Set("Guid", new Variant(Guid.Empty));
        using var socket = await OpenAsync(OpenApi);
        Assert.Equal(OpenApi, socket.SubProtocol);

        var answer = await AskAsync(socket, Envelope(629, $$"""{{{Handle}},{{Nodes}}}"""));

        Assert.Equal("i=632", answer.GetProperty("ServiceId").GetString());
        var body = answer.GetProperty("Body");
        Assert.Equal(8, body.GetProperty("ResponseHeader").GetProperty("RequestHandle").GetInt32());
        Assert.Equal(42, body.GetProperty("Results")[0].GetProperty("Value").GetInt32());
    }

    /// <summary>Whoever does not know an AdditionalHeader passes over it. Source: Part 4 §7.32.</summary>
    [Theory]
    [InlineData("""{"UaTypeId":"nsu=urn:somebody;i=9","Trace":"abc"}""")]
    [InlineData("""{"UaTypeId":"i=16313","Parameters":[{"Key":"Trace","Value":{"UaType":12,"Value":"abc"}}]}""")]
    public async Task OpenApi_AdditionalHeader_PassedOver(string header)
    {
        using var socket = await OpenAsync(OpenApi);

        var answer = await AskAsync(socket, Envelope(
            629, $$$"""{"RequestHeader":{"RequestHandle":8,"AdditionalHeader":{{{header}}}},{{{Nodes}}}}"""));

        Assert.Equal("i=632", answer.GetProperty("ServiceId").GetString());
    }

    [Theory]
    [InlineData("{\"UaTypeId\":\"i=629\"," + Handle + "," + Nodes + "}", "UaTypeId")]
    [InlineData("{" + Nodes + "," + Handle + ",\"UaTypeId\":\"i=629\"}", "UaTypeId")]
    [InlineData("{\"TypeId\":{\"Id\":629},\"Body\":{" + Handle + "," + OldNodes + "}}", "TypeId")]
    public async Task UaJson_ReadInEitherEdition_AnsweredInTheSame(string request, string member)
    {
        using var socket = await OpenAsync(UaJson);

        var answer = await AskAsync(socket, request);

        Assert.True(answer.TryGetProperty(member, out _), answer.GetRawText());
        Assert.Contains("\"RequestHandle\":8", answer.GetRawText(), StringComparison.Ordinal);
        Assert.Contains("42", answer.GetRawText(), StringComparison.Ordinal);
    }

    /// <summary>A held Publish does not keep other requests from their answers.</summary>
    [Fact]
    public async Task OpenApi_SessionWithASubscription_PublishIsAnsweredWhenItsTurnComes()
    {
        using var socket = await OpenAsync(OpenApi);
        var created = await AskAsync(
            socket, Envelope(459, """{"SessionName":"socket","RequestedSessionTimeout":60000}"""));
        var token = created.GetProperty("Body").GetProperty("AuthenticationToken").GetString();
        string Body(int handle, string members) =>
            $$"""{"RequestHeader":{"AuthenticationToken":"{{token}}","RequestHandle":{{handle}}}{{members}}}""";
        await AskAsync(socket, Envelope(465, Body(1, "")));
        var subscribed = await AskAsync(
            socket, Envelope(785, Body(2, $",{Times},\"PublishingEnabled\":true")));
        var id = subscribed.GetProperty("Body").GetProperty("SubscriptionId").GetUInt32();
        // The first cycle brings a keep-alive.
        await AskAsync(socket, Envelope(824, Body(3, "")));
        await SendAsync(socket, Envelope(824, Body(4, "")));

        var items = await AskAsync(
            socket, Envelope(749, Body(5, $",\"SubscriptionId\":{id},{Items}")));

        var (first, second) = (items, await NextAsync(socket));
        var handles = new[] { first, second }.Select(static one =>
            one.GetProperty("Body").GetProperty("ResponseHeader").GetProperty("RequestHandle").GetInt32());
        Assert.Equal([4, 5], handles.Order());
        Assert.Contains("\"MonitoredItems\"", first.GetRawText() + second.GetRawText(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("hello", StatusCodes.BadDecodingError)]
    [InlineData("{}", StatusCodes.BadDecodingError)]
    [InlineData("""{"ServiceId":"i=629"}""", StatusCodes.BadDecodingError)]
    [InlineData("""{"ServiceId":"i=629","Body":{"x":1}}""", StatusCodes.BadDecodingError)]
    [InlineData("""{"ServiceId":"i=446","Body":{}}""", StatusCodes.BadServiceUnsupported)]
    [InlineData("""{"ServiceId":"i=629","Body":{}}""", StatusCodes.BadNothingToDo)]
    public async Task OpenApi_RequestThatCannotBeServed_FaultAndTheSocketGoesOn(string request, uint result)
    {
        using var socket = await OpenAsync(OpenApi);

        var fault = await AskAsync(socket, request);

        Assert.Equal(
            "i=" + ServiceFault.ToString(CultureInfo.InvariantCulture), fault.GetProperty("ServiceId").GetString());
        Assert.Equal(result, fault.GetProperty("Body").ResultOf());
        var answer = await AskAsync(socket, Envelope(629, $$"""{{{Nodes}}}"""));
        Assert.Equal("i=632", answer.GetProperty("ServiceId").GetString());
    }

    [Theory]
    [InlineData("hello", StatusCodes.BadDecodingError)]
    [InlineData("""{"UaTypeId":"i=884","Low":0,"High":1}""", StatusCodes.BadServiceUnsupported)]
    public async Task UaJson_MessageThatIsNone_Fault(string request, uint result)
    {
        using var socket = await OpenAsync(UaJson);

        var fault = await AskAsync(socket, request);

        Assert.Contains(result.ToString(CultureInfo.InvariantCulture), fault.GetRawText(), StringComparison.Ordinal);
        Assert.Contains(
            ServiceFault.ToString(CultureInfo.InvariantCulture), fault.GetRawText(), StringComparison.Ordinal);
    }

    /// <summary>The client finds its request by the handle.</summary>
    [Theory]
    [InlineData("{\"UaTypeId\":\"i=629\"," + Handle + ",\"NodesToRead\":[{\"AttributeId\":\"x\"}]}")]
    [InlineData(
        "{\"TypeId\":{\"Id\":629},\"Body\":{" + Handle + ",\"NodesToRead\":[{\"AttributeId\":\"x\"}]}}")]
    public async Task UaJson_ErrorBehindTheHeader_FaultHasTheRequestHandle(string request)
    {
        using var socket = await OpenAsync(UaJson);

        var fault = await AskAsync(socket, request);

        Assert.Contains("\"RequestHandle\":8", fault.GetRawText(), StringComparison.Ordinal);
        Assert.Contains(
            StatusCodes.BadDecodingError.ToString(CultureInfo.InvariantCulture), fault.GetRawText(),
            StringComparison.Ordinal);
    }

    /// <summary>Also of what no service is asked for.</summary>
    [Theory]
    [InlineData(OpenApi, "{\"ServiceId\":\"i=446\",\"Body\":{" + Handle + "}}")]
    [InlineData(UaJson, "{\"UaTypeId\":\"i=446\"," + Handle + "}")]
    [InlineData(UaJson, "{\"TypeId\":{\"Id\":446},\"Body\":{" + Handle + "}}")]
    public async Task Service_Unknown_FaultHasTheRequestHandle(string protocol, string request)
    {
        using var socket = await OpenAsync(protocol);

        var fault = await AskAsync(socket, request);

        Assert.Contains("\"RequestHandle\":8", fault.GetRawText(), StringComparison.Ordinal);
        Assert.Contains(
            StatusCodes.BadServiceUnsupported.ToString(CultureInfo.InvariantCulture), fault.GetRawText(),
            StringComparison.Ordinal);
    }

    /// <summary>More operations than the service takes end while they are read: what stands behind them is never
    /// looked at.</summary>
    [Theory]
    [InlineData("{\"UaTypeId\":\"i=629\"," + Handle + ",\"NodesToRead\":[", "]}")]
    [InlineData("{\"TypeId\":{\"Id\":629},\"Body\":{" + Handle + ",\"NodesToRead\":[", "]}}")]
    public async Task UaJson_MoreOperationsThanTheServiceTakes_EndsWhileItIsRead(string begin, string end)
    {
        using var socket = await OpenAsync(UaJson);
        var nodes = string.Join(',', Enumerable.Repeat("""{"AttributeId":13}""", 10_001));

        var fault = await AskAsync(socket, begin + nodes + ",{\"AttributeId\":\"x\"}" + end);

        Assert.Contains(
            StatusCodes.BadTooManyOperations.ToString(CultureInfo.InvariantCulture), fault.GetRawText(),
            StringComparison.Ordinal);
    }

    /// <summary>Each message is a request of its address.</summary>
    [Fact]
    public async Task OpenApi_MoreThanTheRateOfItsAddress_FaultsThen1008()
    {
        var time = new MovedTime();
        await using var gateway = await RestGateway.StartAsync(
            time, [], "--Limits:MaxHttpRequestsPerSecondPerAddress=5", "--Limits:MaxHttpWebSocketOpsPerSecond=3");
        using var socket = await OpenAsync(OpenApi, gateway);
        time.Hold();
        var faults = 0;
        var buffer = new byte[4096];
        var part = default(WebSocketReceiveResult);
        for (var round = 0; round < 100 && part?.MessageType != WebSocketMessageType.Close; round++)
        {
            for (var i = 0; i < 20 && socket.State == WebSocketState.Open; i++)
                await SendAsync(socket, Envelope(629, $$"""{{{Handle}},{{Nodes}}}"""));
            for (var i = 0; i < 20 && part?.MessageType != WebSocketMessageType.Close; i++)
            {
                part = await socket.ReceiveAsync(buffer, CancellationToken.None).WaitAsync(Patience.Limit);
                var text = Encoding.UTF8.GetString(buffer, 0, part.Count);
                if (!text.Contains("2155675648", StringComparison.Ordinal))
                    continue;
                faults++;
                Assert.Contains("\"RequestHandle\":8", text, StringComparison.Ordinal);
            }
        }

        Assert.InRange(faults, 1, 3);
        Assert.Equal(1008, (int?)part?.CloseStatus);
    }

    [Fact]
    public async Task OpenApi_ManyAtOnce_EachGetsItsAnswer()
    {
        const int count = 500;
        using var socket = await OpenAsync(OpenApi);
        var reading = Task.Run(async () =>
        {
            var seen = new HashSet<int>();
            while (seen.Count < count)
                seen.Add((await NextAsync(socket)).GetProperty("Body").GetProperty("ResponseHeader")
                    .GetProperty("RequestHandle").GetInt32());
            return seen;
        });
        for (var i = 1; i <= count; i++)
            await SendAsync(socket, Envelope(629,
                $$"""{"RequestHeader":{"RequestHandle":{{i}}},{{Nodes}}}"""));

        Assert.Equal(Enumerable.Range(1, count), (await reading.WaitAsync(Patience.Limit)).Order());
    }

    [Theory]
    [InlineData(OpenApi)]
    [InlineData(UaJson)]
    public async Task Open_WithoutAUser_401(string protocol)
    {
        using var socket = new ClientWebSocket();
        socket.Options.CollectHttpResponseDetails = true;
        socket.Options.SetRequestHeader("Via", "a proxy");
        socket.Options.AddSubProtocol(protocol);

        await Assert.ThrowsAsync<WebSocketException>(() => ConnectAsync(socket));

        Assert.Equal(401, (int)socket.HttpStatusCode);
    }

    /// <summary>As a web page has to, with the session-less path left out, too.</summary>
    [Fact]
    public async Task Open_LoginAmongTheSubProtocols_IsTheUser()
    {
        using var socket = new ClientWebSocket();
        socket.Options.SetRequestHeader("Via", "a proxy");
        socket.Options.AddSubProtocol("basic." + Base64Url.EncodeToString("operator:horse"u8));
        socket.Options.AddSubProtocol(OpenApi);
        await ConnectAsync(socket, "/");

        var answer = await AskAsync(socket, Envelope(671,
            """{"NodesToWrite":[{"NodeId":"ns=2;s=Int16","AttributeId":13,"Value":{"UaType":4,"Value":11}}]}"""));

        Assert.Equal("i=674", answer.GetProperty("ServiceId").GetString());
        Assert.Equal(0u, answer.GetProperty("Body").ResultOf());
    }

    [Fact]
    public async Task Frame_Binary_1003()
    {
        using var socket = await OpenAsync(OpenApi);

        await socket.SendAsync(new byte[3], WebSocketMessageType.Binary, true, CancellationToken.None);

        var buffer = new byte[100];
        var part = await socket.ReceiveAsync(buffer, CancellationToken.None).WaitAsync(Patience.Limit);
        Assert.Equal(
            (WebSocketMessageType.Close, WebSocketCloseStatus.InvalidMessageType),
            (part.MessageType, part.CloseStatus));
    }

    private static string Envelope(int service, string body) => $$"""{"ServiceId":"i={{service}}","Body":{{body}}}""";

    private async Task<ClientWebSocket> OpenAsync(string protocol, RestGateway? gateway = null)
    {
        var socket = new ClientWebSocket();
        socket.Options.SetRequestHeader(
            "Authorization", Gateway.Operator.DefaultRequestHeaders.Authorization!.ToString());
        socket.Options.AddSubProtocol(protocol);
        await ConnectAsync(socket, gateway: gateway);
        return socket;
    }

    private Task ConnectAsync(
        ClientWebSocket socket, string path = "/opcua", RestGateway? gateway = null) => socket.ConnectAsync(
        new UriBuilder((gateway ?? Gateway).Host.Client.BaseAddress!) { Scheme = "ws", Path = path }.Uri,
        CancellationToken.None)
        .WaitAsync(Patience.Limit);

    private static Task SendAsync(ClientWebSocket socket, string text) => socket.SendAsync(
        Encoding.UTF8.GetBytes(text), WebSocketMessageType.Text, true, CancellationToken.None);

    private static async Task<JsonElement> AskAsync(ClientWebSocket socket, string text)
    {
        await SendAsync(socket, text);
        return await NextAsync(socket);
    }

    private static async Task<JsonElement> NextAsync(ClientWebSocket socket)
    {
        using var text = new MemoryStream();
        var buffer = new byte[4096];
        WebSocketReceiveResult part;
        do
        {
            part = await socket.ReceiveAsync(buffer, CancellationToken.None).WaitAsync(Patience.Limit);
            Assert.Equal(WebSocketMessageType.Text, part.MessageType);
            text.Write(buffer, 0, part.Count);
        }
        while (!part.EndOfMessage);
        using var document = JsonDocument.Parse(text.ToArray());
        return document.RootElement.Clone();
    }
}

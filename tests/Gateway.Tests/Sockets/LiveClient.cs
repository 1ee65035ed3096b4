using System.Net.WebSockets;
using System.Text;
using System.Text.Json;
using Gateway.Testing;
using Gateway.Tests.Rest;

namespace Gateway.Tests.Sockets;

/// <summary>A client of <c>/api/v1/ws</c>.</summary>
internal sealed class LiveClient : IDisposable
{
    private LiveClient(ClientWebSocket socket) => Socket = socket;

    public ClientWebSocket Socket { get; }

    /// <summary>As the user of another client.</summary>
    public static Task<LiveClient> OpenAsync(RestGateway gateway, HttpClient user) => OpenAsync(
        gateway, options => options.SetRequestHeader(
            "Authorization", user.DefaultRequestHeaders.Authorization!.ToString()));

    /// <summary>Without a login: a proxy's header takes the demo's user away.</summary>
    public static Task<LiveClient> OpenStrangerAsync(RestGateway gateway, params string[] protocols) => OpenAsync(
        gateway, options =>
        {
            options.SetRequestHeader("Via", "a proxy");
            foreach (var protocol in protocols)
                options.AddSubProtocol(protocol);
        });

    public static Task<LiveClient> OpenAsync(RestGateway gateway, Action<ClientWebSocketOptions> configure) =>
        OpenAsync(gateway, "ws", configure);

    public static async Task<LiveClient> OpenAsync(
        RestGateway gateway, string scheme, Action<ClientWebSocketOptions> configure)
    {
        var socket = new ClientWebSocket();
        socket.Options.CollectHttpResponseDetails = true;
        configure(socket.Options);
        await socket.ConnectAsync(UrlOf(gateway, scheme), CancellationToken.None).WaitAsync(Patience.Limit);
        return new LiveClient(socket);
    }

    /// <summary>The status of a refused handshake.</summary>
    public static async Task<int> RefusedAsync(RestGateway gateway, Action<ClientWebSocketOptions> configure)
    {
        using var socket = new ClientWebSocket();
        socket.Options.CollectHttpResponseDetails = true;
        configure(socket.Options);
        await Assert.ThrowsAsync<WebSocketException>(
            () => socket.ConnectAsync(UrlOf(gateway), CancellationToken.None).WaitAsync(Patience.Limit));
        return (int)socket.HttpStatusCode;
    }

    public Task SendAsync(string text) => SendAsync(Encoding.UTF8.GetBytes(text), WebSocketMessageType.Text, true);

    public Task SendAsync(byte[] bytes, WebSocketMessageType type, bool isEnd) =>
        Socket.SendAsync(bytes, type, isEnd, CancellationToken.None).WaitAsync(Patience.Limit);

    /// <summary>Sends one and gets the next message.</summary>
    public async Task<JsonElement> AskAsync(string text)
    {
        await SendAsync(text);
        return await NextAsync();
    }

    /// <summary>The next message; heartbeats are passed over.</summary>
    public async Task<JsonElement> NextAsync()
    {
        while (true)
        {
            var text = await TryTextAsync();
            Assert.NotNull(text);
            using var document = JsonDocument.Parse(text);
            if (document.RootElement.GetProperty("op").GetString() != "heartbeat")
                return document.RootElement.Clone();
        }
    }

    /// <summary>The only value of the next message.</summary>
    public async Task<int> NumberAsync()
    {
        var next = await NextAsync();
        Assert.Equal("values", next.GetProperty("op").GetString());
        return Assert.Single(next.GetProperty("values").EnumerateArray()).GetProperty("value").GetInt32();
    }

    /// <summary>The close code; messages before it are passed over.</summary>
    public async Task<int> ClosedAsync()
    {
        while (await TryTextAsync() is not null)
        {
        }

        return (int)Socket.CloseStatus!;
    }

    /// <summary>Null: it is closed.</summary>
    public async Task<string?> TryTextAsync()
    {
        using var text = new MemoryStream();
        var buffer = new byte[16 * 1024];
        while (true)
        {
            var part = await Socket.ReceiveAsync(buffer, CancellationToken.None).WaitAsync(Patience.Limit);
            if (part.MessageType == WebSocketMessageType.Close)
                return null;
            text.Write(buffer, 0, part.Count);
            if (part.EndOfMessage)
                return Encoding.UTF8.GetString(text.ToArray());
        }
    }

    public void Dispose() => Socket.Dispose();

    private static Uri UrlOf(RestGateway gateway, string scheme = "ws") =>
        new UriBuilder(gateway.Host.Client.BaseAddress!) { Scheme = scheme, Path = "/api/v1/ws" }.Uri;
}

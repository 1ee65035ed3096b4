using System.Net.Http.Json;
using System.Net.WebSockets;
using System.Text;
using System.Text.Json;
using Gateway.Interop.Admission;
using Gateway.Interop.Gateways;
using Gateway.Testing;

namespace Gateway.Interop.BadInput.Http;

/// <summary>Spoilt messages at the running program's WebSockets that carry JSON: each gets an answer or the end of its
/// WebSocket, the program keeps its memory, and nobody else notices.</summary>
public sealed class SocketFuzzTests
{
    private const int Messages = 1500;
    private const int MostGrowthMiB = 128;
    private const string InternalError = "2147614720";

    [Theory]
    [InlineData(1, "/api/v1/ws", "")]
    [InlineData(2, "/opcua", "opcua+openapi")]
    [InlineData(3, "/opcua", "opcua+uajson")]
    public async Task Messages_SpoiltAtRandom_GetAnAnswerOrACloseAndHarmNobody(int seed, string path, string protocol)
    {
        using TemporaryFolder folder = new();
        await using GatewayProcess gateway = await GatewayProcess.StartAsync(
            folder, "--demo", "--Limits:MaxHttpWebSocketOpsPerSecond=100000");
        Uri address = new($"ws://127.0.0.1:{gateway.HttpPort}{path}");
        SocketCases cases = new(seed, protocol);
        await RunAsync(address, protocol, cases, Messages / 5);
        long before = ProcessFacts.ResidentBytes(gateway.ProcessId);

        await RunAsync(address, protocol, cases, Messages);

        Assert.False(gateway.HasEnded, gateway.Output);
        Assert.DoesNotContain("Unhandled", gateway.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("failed", gateway.Output, StringComparison.Ordinal);
        long growth = (ProcessFacts.ResidentBytes(gateway.ProcessId) - before) / 1024 / 1024;
        Assert.True(growth < MostGrowthMiB, $"{growth} MiB more");
        using HttpClient good = new() { BaseAddress = new($"http://127.0.0.1:{gateway.HttpPort}") };
        JsonElement read = await good.GetFromJsonAsync<JsonElement>("/api/v1/values?node=i%3D2258");
        Assert.Equal("Good", read.GetProperty("values")[0].GetProperty("status").GetString());
    }

    private static async Task RunAsync(Uri address, string protocol, SocketCases cases, int count)
    {
        ClientWebSocket? socket = null;
        try
        {
            for (int i = 0; i < count; i++)
            {
                socket ??= await OpenAsync(address, protocol);
                byte[] message = cases.Next();
                string? answer = await AskAsync(socket, message);
                Assert.True(IsRight(answer, socket), $"{Encoding.Latin1.GetString(message)}\n--\n{answer}");
                if (answer is not null)
                    continue;
                socket.Dispose();
                socket = null;
            }
        }
        finally
        {
            socket?.Dispose();
        }
    }

    /// <summary>JSON without a fault of ours; a close of a message that is no text.</summary>
    private static bool IsRight(string? answer, ClientWebSocket socket)
    {
        if (answer is null)
            return socket.CloseStatus is null or not WebSocketCloseStatus.InternalServerError;
        using JsonDocument document = JsonDocument.Parse(answer);
        return document.RootElement.ValueKind == JsonValueKind.Object &&
            !answer.Contains("BadInternalError", StringComparison.Ordinal) &&
            !answer.Contains(InternalError, StringComparison.Ordinal);
    }

    private static async Task<ClientWebSocket> OpenAsync(Uri address, string protocol)
    {
        ClientWebSocket socket = new();
        if (protocol.Length > 0)
            socket.Options.AddSubProtocol(protocol);
        await socket.ConnectAsync(address, CancellationToken.None).WaitAsync(Patience.Limit);
        return socket;
    }

    /// <summary>Null: it was closed. Values and heartbeats are no answers.</summary>
    private static async Task<string?> AskAsync(ClientWebSocket socket, byte[] message)
    {
        try
        {
            await socket.SendAsync(message, WebSocketMessageType.Text, true, CancellationToken.None)
                .WaitAsync(Patience.Limit);
            while (true)
            {
                string? answer = await NextAsync(socket);
                if (answer is null || !(answer.StartsWith("{\"op\":\"values\"", StringComparison.Ordinal) ||
                    answer.StartsWith("{\"op\":\"heartbeat\"", StringComparison.Ordinal)))
                    return answer;
            }
        }
        catch (WebSocketException)
        {
            return null;
        }
    }

    private static async Task<string?> NextAsync(ClientWebSocket socket)
    {
        using MemoryStream text = new();
        byte[] buffer = new byte[16 * 1024];
        WebSocketReceiveResult part;
        do
        {
            part = await socket.ReceiveAsync(buffer, CancellationToken.None).WaitAsync(Patience.Limit);
            if (part.MessageType == WebSocketMessageType.Close)
                return null;
            text.Write(buffer, 0, part.Count);
        }
        while (!part.EndOfMessage);
        return Encoding.UTF8.GetString(text.ToArray());
    }
}

using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Gateway.Sources.OpcUa.Tests.Support;

/// <summary>Puts a server behind a firewall: it opens connections to a client, says ReverseHello on each, and lets the
/// conversation go on with the server. As soon as one is used it opens the next. Source: Part 6 §7.1.2.6.</summary>
internal sealed class ReverseDialer : IAsyncDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly IPEndPoint _client;
    private readonly int _server;
    private readonly byte[] _hello;
    private readonly Task _dialing;

    public ReverseDialer(IPEndPoint client, string serverUrl, string serverUri, string endpointUrl)
    {
        (_client, _server) = (client, new Uri(serverUrl).Port);
        _hello = Hello(serverUri, endpointUrl);
        _dialing = DialAsync();
    }

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await _dialing;
        _stop.Dispose();
    }

    public static byte[] Hello(string serverUri, string endpointUrl)
    {
        byte[] Text(string text)
        {
            var length = new byte[4];
            BinaryPrimitives.WriteInt32LittleEndian(length, Encoding.UTF8.GetByteCount(text));
            return [.. length, .. Encoding.UTF8.GetBytes(text)];
        }

        byte[] body = [.. Text(serverUri), .. Text(endpointUrl)];
        var size = new byte[4];
        BinaryPrimitives.WriteInt32LittleEndian(size, body.Length + 8);
        return [.. "RHEF"u8, .. size, .. body];
    }

    private async Task DialAsync()
    {
        List<Task> conversations = [];
        using var pause = new PeriodicTimer(TimeSpan.FromMilliseconds(10));
        try
        {
            while (true)
            {
                var near = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
                if (await GreetAsync(near) is { Length: > 0 } first)
                {
                    conversations.Add(ServeAsync(near, first));
                    continue;
                }

                near.Dispose();
                await pause.WaitForNextTickAsync(_stop.Token);
            }
        }
        catch (OperationCanceledException)
        {
            // The end.
        }

        await Task.WhenAll(conversations);
    }

    /// <summary>The client's first bytes, once it takes the connection.</summary>
    private async Task<byte[]> GreetAsync(Socket near)
    {
        try
        {
            await near.ConnectAsync(_client, _stop.Token);
            await near.SendAsync(_hello, _stop.Token);
            var first = new byte[8 * 1024];
            return first[..await near.ReceiveAsync(first, _stop.Token)];
        }
        catch (SocketException)
        {
            return [];
        }
    }

    private async Task ServeAsync(Socket near, byte[] first)
    {
        using var far = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        using (near)
        {
            try
            {
                await far.ConnectAsync(IPAddress.Loopback, _server, _stop.Token);
                await far.SendAsync(first, _stop.Token);
                await Task.WhenAny(PumpAsync(near, far), PumpAsync(far, near));
            }
            catch (Exception error) when (error is SocketException or OperationCanceledException)
            {
                // The end.
            }
        }
    }

    private async Task PumpAsync(Socket from, Socket to)
    {
        var buffer = new byte[16 * 1024];
        try
        {
            while (await from.ReceiveAsync(buffer, _stop.Token) is > 0 and var count)
                await to.SendAsync(buffer.AsMemory(0, count), _stop.Token);
        }
        catch (Exception error) when (error is SocketException or OperationCanceledException or ObjectDisposedException)
        {
            // The end of one is that of both.
        }
    }
}

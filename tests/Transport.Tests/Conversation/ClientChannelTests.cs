using System.Net;
using System.Net.Sockets;
using System.Text;
using Gateway.Codec.Types;
using Gateway.Transport.Conversation;
using Gateway.Transport.Tests.Support;

namespace Gateway.Transport.Tests.Conversation;

public sealed class ClientChannelTests
{
    private const string Reason = "RetryAfterMs=1500";

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task ERR_HelloReadOrNot_StatusAndReasonReachTheCaller(bool isHelloRead)
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var port = ((IPEndPoint)listener.LocalEndpoint).Port;
        var refusing = RefuseAsync(listener, isHelloRead);

        var error = await Assert.ThrowsAsync<ChannelConnectException>(async () => await ClientChannel.ConnectAsync(
            new ClientChannelOptions { EndpointUrl = $"opc.tcp://127.0.0.1:{port}" }, new RecordingHandler()));

        await refusing;
        Assert.Equal(StatusCodes.BadTcpServerTooBusy, error.Status.CodeBits);
        Assert.Contains(Reason, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task ERR_ResetWithoutAWord_ConnectionClosed()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var port = ((IPEndPoint)listener.LocalEndpoint).Port;
        var resetting = ResetAsync(listener);

        var error = await Assert.ThrowsAsync<ChannelConnectException>(async () => await ClientChannel.ConnectAsync(
            new ClientChannelOptions { EndpointUrl = $"opc.tcp://127.0.0.1:{port}" }, new RecordingHandler()));

        await resetting;
        Assert.Equal(StatusCodes.BadConnectionClosed, error.Status.CodeBits);
    }

    /// <summary>A close with unread bytes resets the connection.</summary>
    private static async Task RefuseAsync(TcpListener listener, bool readsHello)
    {
        using var socket = await listener.AcceptSocketAsync();
        await socket.ReceiveAsync(readsHello ? new byte[1024] : Memory<byte>.Empty);
        var reason = Encoding.UTF8.GetBytes(Reason);
        byte[] message =
        [
            .. "ERRF"u8, .. BitConverter.GetBytes(16 + reason.Length),
            .. BitConverter.GetBytes(StatusCodes.BadTcpServerTooBusy), .. BitConverter.GetBytes(reason.Length),
            .. reason,
        ];
        await socket.SendAsync(message);
    }

    private static async Task ResetAsync(TcpListener listener)
    {
        using var socket = await listener.AcceptSocketAsync();
        await socket.ReceiveAsync(Memory<byte>.Empty);
        socket.LingerState = new LingerOption(true, 0);
    }
}

using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Transport.Conversation;

namespace Gateway.Loadtest.Scenarios.Abuse;

/// <summary>The secured OPN of a real client, taken off its wire. Sent again it costs its sender nothing and the server
/// the whole of its private-key work: the cheapest attacker there is. Immutable.</summary>
internal sealed class RecordedOpening(byte[] open)
{
    private const int PolicyAt = 12;

    public byte[] Bytes => open;

    /// <summary>By a listener that answers HEL and takes the OPN.</summary>
    public static async Task<RecordedOpening> RecordAsync(
        UaClient client, EndpointDescription endpoint, CancellationToken cancellation)
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var url = $"opc.tcp://127.0.0.1:{((IPEndPoint)listener.LocalEndpoint).Port}";
        var connecting = client.OpenChannelAsync(endpoint, url, new NoChannel(), cancellation).AsTask();
        using var socket = await listener.AcceptSocketAsync(cancellation);
        await WireFrame.ReadAsync(socket, cancellation);
        await WireFrame.SendAsync(socket, WireTarget.Acknowledge(), cancellation);
        var frame = await WireFrame.ReadAsync(socket, cancellation);
        WireTarget.Reset(socket);
        await connecting.ContinueWith(
            static _ => { }, CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default);
        return frame.Type == "OPN"
            ? new RecordedOpening(frame.Bytes)
            : throw new InvalidOperationException("no OPN could be recorded");
    }

    /// <summary>The same with another SenderCertificate; the sealed part stays, so that no signature can be right.
    /// </summary>
    public byte[] With(byte[] certificate)
    {
        var at = PolicyAt + sizeof(int) + BinaryPrimitives.ReadInt32LittleEndian(open.AsSpan(PolicyAt));
        var end = at + sizeof(int) + BinaryPrimitives.ReadInt32LittleEndian(open.AsSpan(at));
        var changed = new byte[at + sizeof(int) + certificate.Length + open.Length - end];
        open.AsSpan(0, at).CopyTo(changed);
        BinaryPrimitives.WriteInt32LittleEndian(changed.AsSpan(at), certificate.Length);
        certificate.CopyTo(changed, at + sizeof(int));
        open.AsSpan(end).CopyTo(changed.AsSpan(at + sizeof(int) + certificate.Length));
        BinaryPrimitives.WriteInt32LittleEndian(changed.AsSpan(4), changed.Length);
        return changed;
    }

    private sealed class NoChannel : IChannelHandler
    {
        public void OnOpened(SecureChannel channel)
        {
        }

        public void OnMessage(SecureChannel channel, uint requestId, ReadOnlySpan<byte> message)
        {
        }

        public void OnClosed(SecureChannel channel, StatusCode reason)
        {
        }
    }
}

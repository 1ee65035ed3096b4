using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Interop.BadInput;
using Gateway.Transport.Conversation;

namespace Gateway.Interop.Admission;

/// <summary>The HEL and the secured OPN of a real client, taken off its wire, to be sent again and again without its
/// work: each opens a channel whose keys the sender does not know.</summary>
internal sealed class RecordedOpening(byte[] hello, byte[] open) : IChannelHandler
{
    private RecordedOpening()
        : this([], [])
    {
    }

    public byte[] Bytes => open;

    /// <summary>By a listener that answers HEL and takes the OPN.</summary>
    public static async Task<RecordedOpening> RecordAsync(UaClient client, string endpointUrl)
    {
        EndpointDescription[] endpoints = await client.GetEndpointsAsync(endpointUrl);
        EndpointDescription endpoint = endpoints.First(one =>
            one.SecurityPolicyUri!.EndsWith("#Basic256Sha256", StringComparison.Ordinal)
            && one.SecurityMode == MessageSecurityMode.SignAndEncrypt);
        using TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        string url = $"opc.tcp://127.0.0.1:{((IPEndPoint)listener.LocalEndpoint).Port}";
        Task<SecureChannel> connecting = client.OpenChannelAsync(endpoint, url, new RecordedOpening()).AsTask();
        using RawPeer peer = new(await listener.AcceptSocketAsync());
        byte[] hello = (await peer.ReceiveAsync())!;
        await peer.SendAsync(Uacp.Acknowledge());
        byte[] open = (await peer.ReceiveAsync())!;
        peer.Reset();
        await Assert.ThrowsAsync<ServiceException>(() => connecting);
        Assert.Equal("OPNF", RawPeer.Type(open));
        return new(hello, open);
    }

    /// <summary>With another SenderCertificate; what is sealed stays, so that no signature can be right.</summary>
    public byte[] With(byte[] certificate)
    {
        int at = 12 + sizeof(int) + BinaryPrimitives.ReadInt32LittleEndian(open.AsSpan(12));
        int end = at + sizeof(int) + BinaryPrimitives.ReadInt32LittleEndian(open.AsSpan(at));
        byte[] length = new byte[sizeof(int)];
        BinaryPrimitives.WriteInt32LittleEndian(length, certificate.Length);
        return Uacp.Frame("OPNF", [.. open.AsSpan(8, at - 8), .. length, .. certificate, .. open.AsSpan(end)]);
    }

    /// <summary>The right headers and noise where the sealed request was.</summary>
    public byte[] WithNoise()
    {
        byte[] noise = [.. open];
        RandomNumberGenerator.Fill(noise.AsSpan(noise.Length - 256));
        return noise;
    }

    /// <summary>As far as the ACK.</summary>
    public async Task<RawPeer> ConnectAsync(int port, IPAddress from)
    {
        RawPeer peer = await RawPeer.ConnectAsync(port, from);
        await peer.SendAsync(hello);
        Assert.Equal("ACKF", RawPeer.Type(await peer.ReceiveAsync()));
        return peer;
    }

    /// <summary>HEL and OPN at once, then gone: before the answer or after it.</summary>
    public async Task ReplayAsync(int port, IPAddress from, bool awaitAnswer)
    {
        using RawPeer peer = await RawPeer.ConnectAsync(port, from);
        await peer.SendAsync([.. hello, .. open]);
        Assert.Equal("ACKF", RawPeer.Type(await peer.ReceiveAsync()));
        if (awaitAnswer)
            Assert.Equal("OPNF", RawPeer.Type(await peer.ReceiveAsync()));
        peer.Reset();
    }

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

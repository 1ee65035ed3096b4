using System.Security.Cryptography;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Transport.Certificates;
using Gateway.Transport.Hosting;
using Gateway.Transport.Security;

namespace Gateway.Transport.Conversation;

/// <summary>The client's side of OPN. Private-key work: on the lane unless the policy is None. Errors:
/// SecureChannelException. Source: Part 4 §5.6.2.</summary>
internal sealed class ClientOpening(
    TransportContext context, ClientChannelOptions options, ChannelReceiver receiver, ChannelSender sender)
{
    private byte[] _nonce = [];
    private uint _lastRequestId = 0xF0000000;

    /// <summary>The server's own certificate, DER; empty for None.</summary>
    public byte[] ServerLeaf { get; private set; } = [];

    public string ServerThumbprint { get; private set; } = "";

    /// <summary>From a range of its own, beside the role's.</summary>
    public uint NextRequestId() => Interlocked.Increment(ref _lastRequestId);

    public void SendRequest(SecurityTokenRequestType type)
    {
        _nonce = RandomNumberGenerator.GetBytes(options.Policy.SecureChannelNonceLength);
        var request = new OpenSecureChannelRequest
        {
            RequestHeader = new RequestHeader { Timestamp = context.Time.GetUtcNow().UtcDateTime },
            RequestType = type,
            SecurityMode = options.SecurityMode,
            ClientNonce = _nonce,
            RequestedLifetime = (uint)Math.Min(uint.MaxValue, options.RequestedLifetime.TotalMilliseconds),
        };
        using var body = new PooledBuffer(secret: true);
        var writer = new UaBinaryWriter(body);
        writer.WriteTypeId(OpenSecureChannelRequest.BinaryEncodingId);
        request.Encode(ref writer);
        writer.Complete();
        if (options.Policy.IsNone)
        {
            sender.SendOpen(new AsymmetricSealer { Policy = options.Policy }, NextRequestId(), body.WrittenSpan);
            return;
        }

        using var serverKey = TrustedServerKey(out _);
        var sealer = new AsymmetricSealer
        {
            Policy = options.Policy,
            SenderCertificate = options.Certificate!.ChainBlob,
            ReceiverThumbprint = DerCertificate.ThumbprintOf(ServerLeaf),
            PrivateKey = options.Certificate.PrivateKey,
            PeerKey = serverKey.Key,
        };
        sender.SendOpen(sealer, NextRequestId(), body.WrittenSpan);
    }

    public void Complete(byte[] chunk, bool isFirst)
    {
        var header = AsymmetricHeader.Read(chunk, context.Limits);
        if (header.PolicyUri != options.Policy.Uri)
            ConversationFault.Security("an answer with another policy");
        var opened = Unseal(chunk, header);
        receiver.CheckSequence(opened.SequenceNumber);
        var response = Decode(opened.Body.Span);
        var nonce = response.ServerNonce ?? [];
        if (nonce.Length != options.Policy.SecureChannelNonceLength && !options.Policy.IsNone)
            ConversationFault.Nonce("a nonce of the wrong length");
        var issued = response.SecurityToken;
        if (isFirst)
        {
            receiver.SetChannel(issued.ChannelId, options.Policy.LegacySequenceNumbers);
            sender.SetChannel(issued.ChannelId, options.Policy.LegacySequenceNumbers);
        }

        var (outgoing, incoming) = TokenKeys.Derive(options.Policy, options.SecurityMode, _nonce, nonce);
        CryptographicOperations.ZeroMemory(_nonce);
        CryptographicOperations.ZeroMemory(nonce);
        opened.Erase();
        var token = new IssuedToken
        {
            TokenId = issued.TokenId,
            Outgoing = outgoing,
            Incoming = incoming,
            IssuedAt = context.Time.GetTimestamp(),
            Lifetime = TimeSpan.FromMilliseconds(issued.RevisedLifetime),
        };
        receiver.Tokens.Add(token)?.Incoming.Dispose();
        sender.UseToken(token);
    }

    private UnsealedChunk Unseal(byte[] chunk, in AsymmetricHeader header)
    {
        if (options.Policy.IsNone)
            return AsymmetricUnsealer.Unseal(options.Policy, chunk, header.End, null, null);
        if (!header.ReceiverThumbprint.Span.SequenceEqual(options.Certificate!.ThumbprintBytes.Span))
            ConversationFault.Security("an answer for another certificate");
        if (!header.SenderCertificate.Span.StartsWith(ServerLeaf))
            ConversationFault.Security("an answer by another certificate");
        using var serverKey = TrustedServerKey(out var verdict);
        var opened = AsymmetricUnsealer.Unseal(
            options.Policy, chunk, header.End, options.Certificate.PrivateKey, serverKey.Key);
        serverKey.Proven();
        if (verdict is not null)
            options.Validator!.Proven(verdict);
        return opened;
    }

    private static OpenSecureChannelResponse Decode(ReadOnlySpan<byte> body)
    {
        var reader = new UaBinaryReader(body);
        var typeId = reader.ReadNodeId();
        if (typeId != new NodeId(OpenSecureChannelResponse.BinaryEncodingId))
        {
            var header = ResponseHeader.Decode(ref reader);
            ConversationFault.Peer(new ErrorMessage(header.ServiceResult, "OpenSecureChannel was answered by a fault"));
        }

        var response = OpenSecureChannelResponse.Decode(ref reader);
        if (reader.Failed)
            ConversationFault.Malformed("an OPN response that cannot be read");
        if (response.ResponseHeader.ServiceResult.IsBad)
            ConversationFault.Peer(new ErrorMessage(response.ResponseHeader.ServiceResult, "OpenSecureChannel failed"));
        return response;
    }

    /// <summary>Validated at each use, so that a renewal meets a changed trust list (R32); cached by the validator once
    /// the server has answered with its signature.</summary>
    /// <param name="verdict">Null where no validator checks it.</param>
    private PublicKeyLease TrustedServerKey(out CertificateVerdict? verdict)
    {
        verdict = null;
        if (options.Validator is { } validator)
        {
            verdict = validator.Validate(options.ServerCertificate, options.Policy, null);
            if (!verdict.IsAccepted)
                ConversationFault.Certificate(verdict.Detail);
            (ServerLeaf, ServerThumbprint) = (verdict.Leaf, verdict.Thumbprint);
        }
        else if (ServerLeaf.Length == 0)
        {
            ServerLeaf = DerCertificate.LeafOf(options.ServerCertificate).ToArray();
            ServerThumbprint = Convert.ToHexString(DerCertificate.ThumbprintOf(ServerLeaf));
        }

        if (!PublicKeyCache.TryGet(ServerLeaf, out var key))
            ConversationFault.Certificate("a server certificate without an RSA key");
        return key;
    }
}

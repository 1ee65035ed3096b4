using System.Security.Cryptography;
using Gateway.Admission.Clients;
using Gateway.Admission.Stages;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Transport.Certificates;
using Gateway.Transport.Hosting;
using Gateway.Transport.Security;

namespace Gateway.Transport.Conversation;

/// <summary>
/// The server's side of OPN, in two halves: <see cref="Begin"/> on the loop decides by the clear header, before any
/// asymmetric work; <see cref="Complete"/> does that work, on the lane. Both throw SecureChannelException.
/// Source: Part 4 §5.6.2, Part 6 §6.7.4.
/// </summary>
internal sealed class ServerOpening(
    TransportContext context, ServerEndpoint endpoint, ChannelReceiver receiver, ChannelSender sender)
{
    private const int FixedBytes = 1024;
    private const int LargestKeyBytes = 512;

    private uint _lastTokenId;
    private OpenRequest? _underWay;
    private CertificateVerdict? _refused;

    public int MaxChunkBytes =>
        FixedBytes + context.Limits.MaxCertificateBlobBytes + context.Limits.MaxAsymmetricBlocks * LargestKeyBytes;

    public OpenRequest Begin(byte[] chunk, SecureChannel? channel)
    {
        var header = AsymmetricHeader.Read(chunk, context.Limits);
        if (header.SecureChannelId != receiver.ChannelId)
            ConversationFault.ChannelUnknown("an OPN for another SecureChannelId");
        var policy = FindPolicy(header.PolicyUri, channel);
        // A renewal is for the certificate that the channel was opened with, whatever has become of it since.
        var own = policy.IsNone ? null : channel?.OwnCertificate ?? endpoint.Options.Certificate();
        if (own is not null)
            CheckReceiver(chunk, header, own);
        return new OpenRequest(chunk, header.End, header.SenderCertificate, policy, own);
    }

    /// <summary>The OPN that has failed, for those who keep an audit trail: its certificate is a claim.</summary>
    public OpenRefusal RefusalOf(ConnectionEnd end, System.Net.EndPoint? remote, bool isRenewal) => new(
        remote, end.Status, end.Detail, isRenewal,
        _underWay?.SenderCertificate ?? default, _underWay?.Policy.Uri, _refused);

    /// <summary>Validates, decrypts, verifies, issues the token and sends the response, not flushed.</summary>
    public OpenResult Complete(OpenRequest request, SecureChannel? channel, ClientPass pass)
    {
        // Stays where it fails.
        _underWay = request;
        var result = Open(request, channel, pass);
        _underWay = null;
        return result;
    }

    private OpenResult Open(OpenRequest request, SecureChannel? channel, ClientPass pass)
    {
        if (request.OwnCertificate is not { } own)
            return Answer(request, Unseal(request, pass, null), channel, pass, null, CertificateVerdict.None);

        var verdict = endpoint.Options.Validator.Validate(
            request.SenderCertificate, request.Policy, null, pass.Address.Key);
        pass.Walked(verdict.SignatureChecks);
        if (!verdict.IsAccepted)
        {
            _refused = verdict;
            ConversationFault.Certificate(verdict.Detail);
        }

        if (channel is not null && !verdict.Leaf.AsSpan().SequenceEqual(channel.PeerCertificate))
            ConversationFault.Security("a renewal with another certificate");
        if (!PublicKeyCache.TryGet(verdict.Leaf, out var lease))
            ConversationFault.Certificate("a certificate without an RSA key");
        using var peerKey = lease;
        if (!request.Policy.AcceptsKeyLength(peerKey.Key.KeySize))
            ConversationFault.Certificate("a key outside the policy's range");
        var sealer = new AsymmetricSealer
        {
            Policy = request.Policy,
            SenderCertificate = own.ChainBlob,
            ReceiverThumbprint = DerCertificate.ThumbprintOf(verdict.Leaf),
            PrivateKey = own.PrivateKey,
            PeerKey = peerKey.Key,
        };
        var opened = Unseal(request, pass, sealer);
        // Until here the certificate was a claim, and nothing of it was kept (R47).
        peerKey.Proven();
        endpoint.Options.Validator.Proven(verdict);
        return Answer(request, opened, channel, pass, sealer, verdict);
    }

    private OpenResult Answer(
        OpenRequest request, UnsealedChunk opened, SecureChannel? channel, ClientPass pass, AsymmetricSealer? sealer,
        CertificateVerdict verdict)
    {
        if (channel is null && !pass.TryVerify(verdict.Thumbprint, verdict.Subject))
            RefuseCertificate(pass, verdict.Thumbprint, RefusalReason.MaxConnectionsPerCertificate);
        if (channel is null && endpoint.Registry.IsReservedFrom(pass))
            RefuseCertificate(pass, verdict.Thumbprint, RefusalReason.Reserved);
        receiver.CheckSequence(opened.SequenceNumber);
        var message = Decode(opened.Body.Span);
        CheckRequest(message, request.Policy, channel);
        if (channel is null)
        {
            receiver.SetChannel(endpoint.Registry.NextChannelId(), request.Policy.LegacySequenceNumbers);
            sender.SetChannel(receiver.ChannelId, request.Policy.LegacySequenceNumbers);
        }

        var nonce = RandomNumberGenerator.GetBytes(request.Policy.SecureChannelNonceLength);
        var token = Issue(request.Policy, message, nonce);
        using var body = EncodeResponse(message, token, nonce);
        sender.SendOpen(
            sealer ?? new AsymmetricSealer { Policy = request.Policy }, opened.RequestId, body.WrittenSpan);
        CryptographicOperations.ZeroMemory(nonce);
        CryptographicOperations.ZeroMemory(message.ClientNonce);
        opened.Erase();
        Install(token, isFirst: channel is null);
        return new OpenResult(
            message.SecurityMode, verdict.Leaf, verdict.Chain, verdict.Thumbprint,
            TimeSpan.FromMilliseconds(message.RequestedLifetime));
    }

    /// <summary>A peer with a wrong signature has only claimed its certificate.</summary>
    private static UnsealedChunk Unseal(OpenRequest request, ClientPass pass, AsymmetricSealer? sealer)
    {
        try
        {
            return AsymmetricUnsealer.Unseal(
                request.Policy, request.Chunk, request.HeaderEnd, sealer?.PrivateKey, sealer?.PeerKey);
        }
        catch (SecureChannelException e) when (e.CloseReason == ChannelCloseReason.SecurityChecksFailed)
        {
            pass.Lied();
            throw;
        }
    }

    private void RefuseCertificate(ClientPass pass, string thumbprint, RefusalReason reason)
    {
        var admission = context.Admission;
        var decision = admission.Refuse(
            AdmissionStage.Open, reason, pass.Address.Key, admission.Clients.Certificate(thumbprint), null);
        ConversationFault.Refused(
            decision, ChannelCloseReason.TooBusy,
            reason == RefusalReason.Reserved
                ? "the last sixth of Limits:MaxConnections is kept for certificates that hold less"
                : "Limits:MaxConnectionsPerCertificate is reached");
    }

    private static OpenSecureChannelRequest Decode(ReadOnlySpan<byte> body)
    {
        var reader = new UaBinaryReader(body);
        if (reader.ReadNodeId() != new NodeId(OpenSecureChannelRequest.BinaryEncodingId))
            ConversationFault.Malformed("an OPN that holds another message");
        var message = OpenSecureChannelRequest.Decode(ref reader);
        if (reader.Failed)
            ConversationFault.Malformed("an OPN that cannot be read");
        return message;
    }

    private void CheckRequest(OpenSecureChannelRequest message, SecurityPolicy policy, SecureChannel? channel)
    {
        var type = channel is null ? SecurityTokenRequestType.Issue : SecurityTokenRequestType.Renew;
        if (message.RequestType != type)
            ConversationFault.RequestType("an OPN that issues or renews at the wrong time");
        var offered = endpoint.Options.Security.HasMode(policy, message.SecurityMode);
        if (!offered || (channel is not null && channel.SecurityMode != message.SecurityMode))
            ConversationFault.Policy(StatusCodes.BadSecurityModeRejected, "a security mode that is not offered");
        var nonce = message.ClientNonce ?? [];
        if (!policy.IsNone && (nonce.Length != policy.SecureChannelNonceLength || !nonce.ContainsAnyExcept((byte)0)))
            ConversationFault.Nonce("a nonce of the wrong length or of zeros");
        if (channel is not null && receiver.Tokens.IsExpired(context.Time.GetTimestamp()))
            ConversationFault.TokenExpired();
    }

    private IssuedToken Issue(SecurityPolicy policy, OpenSecureChannelRequest message, byte[] nonce)
    {
        var requested = TimeSpan.FromMilliseconds(message.RequestedLifetime);
        var limits = context.Limits;
        var lifetime = requested == TimeSpan.Zero || requested > limits.MaxTokenLifetime ? limits.MaxTokenLifetime
            : requested < limits.MinTokenLifetime ? limits.MinTokenLifetime : requested;
        var (outgoing, incoming) = TokenKeys.Derive(policy, message.SecurityMode, nonce, message.ClientNonce ?? []);
        return new IssuedToken
        {
            TokenId = ++_lastTokenId,
            Outgoing = outgoing,
            Incoming = incoming,
            IssuedAt = context.Time.GetTimestamp(),
            Lifetime = lifetime,
        };
    }

    private PooledBuffer EncodeResponse(OpenSecureChannelRequest request, IssuedToken token, byte[] nonce)
    {
        var now = context.Time.GetUtcNow().UtcDateTime;
        var response = new OpenSecureChannelResponse
        {
            ResponseHeader = new ResponseHeader
            {
                Timestamp = now,
                RequestHandle = request.RequestHeader.RequestHandle,
            },
            SecurityToken = new ChannelSecurityToken
            {
                ChannelId = receiver.ChannelId,
                TokenId = token.TokenId,
                CreatedAt = now,
                RevisedLifetime = (uint)token.Lifetime.TotalMilliseconds,
            },
            ServerNonce = nonce,
        };
        var buffer = new PooledBuffer(secret: true);
        var writer = new UaBinaryWriter(buffer);
        writer.WriteTypeId(OpenSecureChannelResponse.BinaryEncodingId);
        response.Encode(ref writer);
        writer.Complete();
        return buffer;
    }

    /// <summary>The response to a renewal leaves on the old token's side of things: the server seals with the new one
    /// only once the client has used it (Part 4 §5.6.2).</summary>
    private void Install(IssuedToken token, bool isFirst)
    {
        var newestBefore = receiver.Tokens.Current;
        var dropped = receiver.Tokens.Add(token);
        if (isFirst)
            sender.UseToken(token);
        if (dropped is null)
            return;
        // Renewed twice and the first renewal never used: the client has answered neither, but it knows that key.
        dropped.Incoming.Dispose();
        sender.UseToken(newestBefore!);
    }

    private SecurityPolicy FindPolicy(string? uri, SecureChannel? channel)
    {
        if (!SecurityPolicies.TryGet(uri, out var policy))
            ConversationFault.Policy(StatusCodes.BadSecurityPolicyRejected, "a security policy that is unknown");
        var options = endpoint.Options;
        if (!options.Security.Policies.Contains(policy) && !(policy.IsNone && options.DiscoveryWithoutSecurity))
            ConversationFault.Policy(StatusCodes.BadSecurityPolicyRejected, policy.Name + " is not offered");
        if (channel is not null && channel.Policy != policy)
            ConversationFault.Security("a renewal with another policy");
        return policy;
    }

    private void CheckReceiver(byte[] chunk, in AsymmetricHeader header, ApplicationCertificate own)
    {
        if (header.SenderCertificate.Length == 0)
            ConversationFault.Certificate("no certificate where the policy needs one");
        if (!header.ReceiverThumbprint.Span.SequenceEqual(own.ThumbprintBytes.Span))
            ConversationFault.Certificate("an OPN for another server certificate");
        var blockBytes = own.PrivateKey.KeySize / 8;
        var encrypted = chunk.Length - header.End;
        if (encrypted == 0 || encrypted % blockBytes != 0 ||
            encrypted / blockBytes > context.Limits.MaxAsymmetricBlocks)
            ConversationFault.Security("an OPN of the wrong number of blocks");
    }
}

using Gateway.Codec.Structures;

namespace Gateway.Transport.Conversation;

/// <summary>The peer that a finished OPN has identified.</summary>
internal readonly record struct OpenResult(
    MessageSecurityMode SecurityMode, byte[] Leaf, byte[] Chain, string Thumbprint,
    TimeSpan RequestedLifetime);

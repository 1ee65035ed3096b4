using Gateway.Operations.Access;
using Gateway.Transport.Conversation;

namespace Gateway.Server.Sessions;

/// <summary>The callers of UA Binary.</summary>
internal static class SessionCallers
{
    /// <summary>By a session on a SecureChannel; its certificate was checked when it was opened.</summary>
    public static Caller Of(UserIdentity? identity, SecureChannel channel, Session? session) =>
        new(identity, channel.SecurityMode, channel.PeerThumbprint.Length > 0, hasSession: true)
        {
            Locales = session?.LocaleIds,
        };
}

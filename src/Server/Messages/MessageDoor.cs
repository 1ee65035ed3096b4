using System.Net;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Server.Dispatch;
using Gateway.Server.Sessions;

namespace Gateway.Server.Messages;

/// <summary>How messages come that no connection of UA-TCP carries: over HTTP, each in a request of its own. They meet
/// the services, sessions, limits and the audit of all others. Threads: any.</summary>
public sealed class MessageDoor
{
    private readonly RequestDispatcher _dispatcher;
    private readonly SessionManager _sessions;

    internal MessageDoor(RequestDispatcher dispatcher, SessionManager sessions) =>
        (_dispatcher, _sessions) = (dispatcher, sessions);

    /// <summary>The channel of the session that the token names, if this user created the session or took it over
    /// (R15). Otherwise a new channel, for a call without a session or for CreateSession; the services refuse a token
    /// that does not belong to it.</summary>
    /// <param name="token">The AuthenticationToken of the RequestHeader.</param>
    /// <param name="user">The user of this request, checked by the transport.</param>
    /// <param name="remote">The client's endpoint.</param>
    /// <param name="url">By which the client reached the transport, as a HEL says it; empty: not known.</param>
    public MessageChannel Find(NodeId token, Caller user, EndPoint? remote, string url = "")
    {
        if (_sessions.Find(SessionToken.Of(token)) is { } session &&
            session.Channel.Link is MessageChannel channel && IsSame(channel.User, user))
            return channel;
        return new MessageChannel(_dispatcher, _sessions, user, remote, url);
    }

    /// <summary>A session is as well protected as it was when it was made, and whose it was. It has the rights of then,
    /// so a token that gives others does not reach it (R16).</summary>
    private static bool IsSame(Caller one, Caller other) =>
        one.IsEncrypted == other.IsEncrypted && one.Roles == other.Roles && one.Identity is not null &&
        one.Identity.IsSameUser(other.Identity);
}

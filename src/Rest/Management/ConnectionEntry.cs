using Gateway.Admission.Door;
using Gateway.Server.Management;
using Gateway.Transport.Hosting;

namespace Gateway.Rest.Management;

/// <summary>One entry of the list: a connection of UA-TCP, or one of HTTP.</summary>
/// <param name="Id">Names it.</param>
/// <param name="UaTcp">Null for HTTP.</param>
/// <param name="Http">Null for UA-TCP.</param>
/// <param name="Now">When it was looked at.</param>
/// <param name="Age">Since it was accepted.</param>
/// <param name="Idle">Since something came over it; zero while a request is under way.</param>
internal sealed record ConnectionEntry(
    ConnectionId Id, ConnectionReport? UaTcp, HttpPlace? Http, DateTime Now, TimeSpan Age, TimeSpan Idle);

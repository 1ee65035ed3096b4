using Gateway.Server.Dispatch;
using Gateway.Server.Users;

namespace Gateway.Server.Sessions;

/// <summary>What an activation replaced.</summary>
internal readonly record struct ActivationResult(
    bool IsFirst, ChannelState PreviousChannel, UserIdentity? PreviousIdentity);

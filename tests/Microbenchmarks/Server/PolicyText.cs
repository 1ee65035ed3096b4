using Gateway.Codec.Structures;
using Gateway.Transport.Security;

namespace Gateway.Microbenchmarks.Server;

/// <summary><c>Policy/Mode</c>, or <c>None</c>.</summary>
internal static class PolicyText
{
    public static (SecurityPolicy Policy, MessageSecurityMode Mode) Parse(string text)
    {
        var parts = text.Split('/');
        if (!SecurityPolicies.TryGetByName(parts[0], out var policy))
            throw new ArgumentException(text);
        return (policy, parts.Length > 1 ? Enum.Parse<MessageSecurityMode>(parts[1]) : MessageSecurityMode.None);
    }
}

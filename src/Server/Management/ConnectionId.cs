using System.Globalization;

namespace Gateway.Server.Management;

/// <summary>Names one connection for as long as the gateway runs: <c>tcp-17-3</c>, <c>http-5-0</c>.</summary>
/// <param name="IsHttp">At the listener of HTTP.</param>
/// <param name="Serial">Its number since the start.</param>
/// <param name="Place">Where it is found.</param>
public readonly record struct ConnectionId(bool IsHttp, long Serial, int Place)
{
    private const string Http = "http";
    private const string UaTcp = "tcp";

    public static bool TryParse(string text, out ConnectionId id)
    {
        id = default;
        var parts = text.Split('-');
        if (parts.Length != 3 || parts[0] is not (Http or UaTcp) ||
            !long.TryParse(parts[1], NumberStyles.None, CultureInfo.InvariantCulture, out var serial) ||
            !int.TryParse(parts[2], NumberStyles.None, CultureInfo.InvariantCulture, out var place))
            return false;
        id = new ConnectionId(parts[0] == Http, serial, place);
        return true;
    }

    public override string ToString() =>
        string.Create(CultureInfo.InvariantCulture, $"{(IsHttp ? Http : UaTcp)}-{Serial}-{Place}");
}

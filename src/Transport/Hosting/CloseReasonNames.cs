using System.Text;

namespace Gateway.Transport.Hosting;

/// <summary>The label values of <see cref="ChannelCloseReason"/>: <c>snake_case</c>, made once.</summary>
internal static class CloseReasonNames
{
    private static readonly string[] Names = [.. Enum.GetNames<ChannelCloseReason>().Select(Snake)];

    public static string Of(ChannelCloseReason reason) => Names[(int)reason];

    private static string Snake(string name)
    {
        var result = new StringBuilder();
        foreach (var c in name)
        {
            if (char.IsUpper(c) && result.Length > 0)
                result.Append('_');
            result.Append(char.ToLowerInvariant(c));
        }

        return result.ToString();
    }
}

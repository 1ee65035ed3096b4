using System.Buffers;

namespace Gateway.Loadtest.Machine;

/// <summary>The command for others to repeat: as typed, paths relative to the folder it was typed in, the password left
/// out.</summary>
internal static class CommandText
{
    private const string Password = "--password";

    private static readonly SearchValues<char> NeedQuotes = SearchValues.Create(" ;&|<>*?(){}$'\"\\");

    /// <param name="arguments">The program first.</param>
    /// <param name="folder">The working folder.</param>
    public static string Of(IReadOnlyList<string> arguments, string folder)
    {
        List<string> parts = [];
        for (var i = 0; i < arguments.Count; i++)
        {
            if (i == 0 && arguments[0].EndsWith(".dll", StringComparison.Ordinal))
                parts.Add("dotnet");
            var isSecret = i > 0 && arguments[i - 1] == Password;
            parts.Add(isSecret ? "…" : Quoted(Relative(arguments[i], folder)));
        }

        return string.Join(' ', parts);
    }

    private static string Relative(string argument, string folder)
    {
        var equals = argument.StartsWith('-') ? argument.IndexOf('=', StringComparison.Ordinal) + 1 : 0;
        var (name, value) = (argument[..equals], argument[equals..]);
        if (name == Password + "=")
            return name + "…";
        return Path.IsPathRooted(value) ? name + Path.GetRelativePath(folder, value) : argument;
    }

    private static string Quoted(string argument) =>
        argument.AsSpan().IndexOfAny(NeedQuotes) < 0
            ? argument
            : $"'{argument.Replace("'", "'\\''", StringComparison.Ordinal)}'";
}

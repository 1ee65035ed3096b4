namespace Gateway.PubSub.Options;

/// <summary>A content mask as the configuration names it: names of the standard with commas between them, or
/// <c>None</c>.</summary>
internal static class ContentNames
{
    /// <param name="text">Of the configuration.</param>
    /// <param name="allowed">The members that the configuration may name.</param>
    /// <param name="mask">Of all names; its default with a wrong one.</param>
    /// <returns>The name that is none; null: all are.</returns>
    public static string? Parse<T>(string text, T allowed, out T mask)
        where T : struct, Enum
    {
        var bits = 0U;
        foreach (var name in text.Split(',', StringSplitOptions.TrimEntries))
        {
            // Numbers and lists are no names, though Enum.TryParse would take them.
            if (!Enum.IsDefined(typeof(T), name) || !allowed.HasFlag(Enum.Parse<T>(name)))
            {
                mask = default;
                return name;
            }

            bits |= Convert.ToUInt32(Enum.Parse<T>(name), null);
        }

        mask = (T)Enum.ToObject(typeof(T), bits);
        return null;
    }

    public static T Of<T>(string text, T byDefault)
        where T : struct, Enum
    {
        if (text.Length == 0)
            return byDefault;
        Parse(text, All<T>(), out var mask);
        return mask;
    }

    /// <summary>For messages.</summary>
    public static string Names<T>(T allowed)
        where T : struct, Enum => string.Join(
            ", ", Enum.GetValues<T>().Where(one => allowed.HasFlag(one)).Select(static one => one.ToString()));

    private static T All<T>()
        where T : struct, Enum => (T)Enum.ToObject(typeof(T), uint.MaxValue);
}

namespace Gateway.Host.Importing;

/// <summary>Names that the configuration takes.</summary>
internal static class UniqueNames
{
    private const int MaxLength = 100;

    /// <summary>With a number behind it where the name is taken.</summary>
    public static string Make(string name, Func<string, bool> isTaken)
    {
        var made = name;
        for (var i = 2; isTaken(made); i++)
            made = $"{name}-{i}";
        return made;
    }

    /// <summary>As a level of a topic: without what has a meaning there.</summary>
    public static string Level(string name)
    {
        var level = string.Concat(name.Select(static one =>
            one is '/' or '+' or '#' || char.IsControl(one) || char.IsSurrogate(one) ? '_' : one));
        level = level.Length > MaxLength ? level[..MaxLength] : level;
        return level.StartsWith('$') ? "_" + level[1..] : level;
    }
}

using System.Globalization;
using System.Reflection;

namespace Gateway.Host.Configuration;

/// <summary>Fills limits from the one section <c>Limits</c> by the names of their properties. A limit is finite: 0 is
/// taken only where it is the default, and means what that limit says.</summary>
/// <param name="settings">With the section.</param>
/// <param name="memory">In bytes, of which the budgets' defaults take no more than their share.</param>
internal sealed class LimitsReader(SettingsReader settings, long memory)
{
    public const string Section = "Limits";

    private const string Min = "Min";
    private const string Max = "Max";

    /// <summary>All have seconds: TryParse would take 3600 for days, 24:00:00 too, and 10:00 for hours.</summary>
    private static readonly string[] TimeFormats =
        [@"h\:mm\:ss", @"h\:mm\:ss\.FFFFFFF", @"d\.hh\:mm\:ss", @"d\.hh\:mm\:ss\.FFFFFFF"];

    public T Read<T>()
        where T : class, new()
    {
        var limits = new T();
        foreach (var property in typeof(T).GetProperties(BindingFlags.Public | BindingFlags.Instance))
        {
            if (property.SetMethod is null)
                continue;
            var key = $"{Section}:{property.Name}";
            property.SetValue(limits, MemoryShare.Default(property.Name, property.GetValue(limits)!, memory));
            var text = settings.Text(key);
            if (text.Length > 0)
                Set(limits, property, key, text);
        }

        CheckRanges(limits);
        return limits;
    }

    /// <summary>Of a least and a most value for one thing, the least is not above the most.</summary>
    private void CheckRanges(object limits)
    {
        var type = limits.GetType();
        foreach (var least in type.GetProperties())
        {
            if (!least.Name.StartsWith(Min, StringComparison.Ordinal))
                continue;
            var name = Max + least.Name[Min.Length..];
            if (type.GetProperty(name) is { } most && least.PropertyType == most.PropertyType &&
                ((IComparable)least.GetValue(limits)!).CompareTo(most.GetValue(limits)) > 0)
                settings.Error($"{Section}:{least.Name}", $"is more than {Section}:{name}");
        }
    }

    private void Set<T>(T limits, PropertyInfo property, string key, string text)
        where T : class
    {
        var byDefault = property.GetValue(limits);
        var value = Parse(property.PropertyType, text);
        if (value is null)
            settings.Error(key, ProblemOf(byDefault, text));
        else if (!IsPositive(value) && !value.Equals(byDefault))
            settings.Error(key, $"{text} is not more than 0");
        else
            property.SetValue(limits, value);
    }

    private static string ProblemOf(object? byDefault, string text)
    {
        if (byDefault is not TimeSpan)
            return $"'{text}' {(byDefault is double ? "is no number" : "is no whole number")}";
        var isNumber = double.TryParse(text, CultureInfo.InvariantCulture, out var seconds);
        if (!isNumber || Math.Abs(seconds) > TimeSpan.MaxValue.TotalSeconds / 2 || !double.IsFinite(seconds))
            return $"'{text}' is no time: write hh:mm:ss, or d.hh:mm:ss from 24 hours on";
        return $"'{text}' has no unit: write {TimeSpan.FromSeconds(seconds)} for {text} seconds";
    }

    private static object? Parse(Type type, string text)
    {
        var culture = CultureInfo.InvariantCulture;
        if (type == typeof(int))
            return int.TryParse(text, culture, out var number) ? number : null;
        if (type == typeof(uint))
            return uint.TryParse(text, culture, out var number) ? number : null;
        if (type == typeof(long))
            return long.TryParse(text, culture, out var number) ? number : null;
        if (type == typeof(double))
            return double.TryParse(text, culture, out var number) && double.IsFinite(number) ? number : null;
        if (type == typeof(TimeSpan))
            return TimeSpan.TryParseExact(text, TimeFormats, culture, out var number) ? number : null;
        return null;
    }

    private static bool IsPositive(object value) => value switch
    {
        int number => number > 0,
        uint number => number > 0,
        long number => number > 0,
        double number => number > 0,
        TimeSpan time => time > TimeSpan.Zero,
        _ => false,
    };
}

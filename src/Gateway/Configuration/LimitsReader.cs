using System.Globalization;
using System.Reflection;

namespace Gateway.Host.Configuration;

/// <summary>Fills limits from the one section <c>Limits</c> by the names of their properties. A limit is finite: 0 is
/// taken only where it is the default, and means what that limit says.</summary>
internal sealed class LimitsReader(SettingsReader settings)
{
    public const string Section = "Limits";

    private readonly HashSet<string> _known = new(StringComparer.OrdinalIgnoreCase);

    public T Read<T>()
        where T : class, new()
    {
        var limits = new T();
        foreach (var property in typeof(T).GetProperties(BindingFlags.Public | BindingFlags.Instance))
        {
            if (property.SetMethod is null)
                continue;
            _known.Add(property.Name);
            var key = $"{Section}:{property.Name}";
            var text = settings.Text(key);
            if (text.Length > 0)
                Set(limits, property, key, text);
        }
        return limits;
    }

    public void CheckForUnknownKeys()
    {
        foreach (var key in settings.Keys(Section).Where(key => !_known.Contains(key)))
            settings.Error($"{Section}:{key}", "is no limit of the gateway");
    }

    private void Set<T>(T limits, PropertyInfo property, string key, string text)
        where T : class
    {
        var byDefault = property.GetValue(limits);
        var value = Parse(property.PropertyType, text);
        if (value is null)
            settings.Error(key, $"'{text}' is not of the kind of {byDefault}");
        else if (!IsPositive(value) && !value.Equals(byDefault))
            settings.Error(key, $"{text} is not more than 0");
        else
            property.SetValue(limits, value);
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
            return TimeSpan.TryParse(text, culture, out var number) ? number : null;
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

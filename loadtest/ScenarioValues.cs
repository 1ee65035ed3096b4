using System.CommandLine;
using System.Globalization;

namespace Gateway.Loadtest;

/// <summary>Values of a run's options, found by their names, so that one scenario can run another with the options that
/// both have; an option that the command does not have keeps its default.</summary>
internal sealed class ScenarioValues(ParseResult parsed)
{
    private readonly Dictionary<string, object> _overrides = [];

    public T Get<T>(Option<T> option)
    {
        if (_overrides.TryGetValue(option.Name, out var value))
            return (T)value;
        if (IsThere(option))
            return parsed.GetValue<T>(option.Name)!;
        return option.HasDefaultValue ? (T)option.GetDefaultValue()! : default!;
    }

    /// <summary>An option's value for the report.</summary>
    public string Text(Option option)
    {
        if (_overrides.TryGetValue(option.Name, out var value))
            return Format(value);
        if (!IsThere(option))
            return option.HasDefaultValue ? Format(option.GetDefaultValue()) : string.Empty;
        return Format(parsed.GetValue<object>(option.Name));
    }

    /// <summary>An argument's value; of a command that does not have it, empty.</summary>
    public string Text(Argument argument) =>
        parsed.CommandResult.Command.Arguments.Any(own => own.Name == argument.Name)
            ? Format(parsed.GetValue<object>(argument.Name))
            : string.Empty;

    /// <summary>From here on the option has this value, also against the command line.</summary>
    public ScenarioValues With<T>(Option<T> option, T value)
        where T : notnull
    {
        var copy = new ScenarioValues(parsed);
        foreach (var (name, other) in _overrides)
            copy._overrides[name] = other;
        copy._overrides[option.Name] = value;
        return copy;
    }

    private static string Format(object? value) => value switch
    {
        int[] numbers => string.Join(',', numbers),
        _ => Convert.ToString(value, CultureInfo.InvariantCulture) ?? string.Empty,
    };

    private bool IsThere(Option option) =>
        parsed.CommandResult.Command.Options.Any(own => own.Name == option.Name);
}

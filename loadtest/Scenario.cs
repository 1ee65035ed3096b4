using System.CommandLine;
using System.Globalization;

namespace Gateway.Loadtest;

/// <summary>One kind of run: its part of the command line, the plant it needs, and the run itself. Made once, holds no
/// state of a run.</summary>
internal abstract class Scenario
{
    public abstract string Name { get; }

    /// <summary>One line for the list of scenarios.</summary>
    public abstract string Summary { get; }

    /// <summary>For <c>--help</c>: what happens, what is checked, what the table says.</summary>
    public abstract string Description { get; }

    /// <summary>Arguments without a name, right behind the scenario's.</summary>
    public virtual IReadOnlyList<Argument> Arguments => [];

    /// <summary>Its own options; those of every scenario are <see cref="CommonOptions"/>.</summary>
    public virtual IReadOnlyList<Option> Options => [];

    /// <summary>The simulated plant of a gateway that is started for the run.</summary>
    public virtual Plant PlantOf(ScenarioValues values) => new();

    /// <summary>True: the run's context comes without a server; the scenario starts those that it needs.</summary>
    public virtual bool StartsServers => false;

    /// <returns>Errors in the combination of options, in the user's words.</returns>
    public virtual IEnumerable<string> Validate(ScenarioValues values) => [];

    public abstract Task RunAsync(RunContext context);

    protected static Option<int> Number(string name, int value, string description, int least, int most)
    {
        var option = new Option<int>(name)
        {
            Description = $"{description} ({least} to {most})",
            DefaultValueFactory = _ => value,
        };
        option.Validators.Add(result =>
        {
            // Text that is no number gets its own error message.
            if (result.Tokens.Count == 0 || !int.TryParse(
                result.Tokens[^1].Value, NumberStyles.Integer, CultureInfo.InvariantCulture, out var given))
                return;
            if (given < least || given > most)
                result.AddError($"{name} is not between {least} and {most}: {given}");
        });
        return option;
    }

    protected static Option<string> Text(string name, string value, string description) => new(name)
    {
        Description = description,
        DefaultValueFactory = _ => value,
    };

    protected static Option<double> Milliseconds(string name, double value, string description)
    {
        var option = new Option<double>(name) { Description = description, DefaultValueFactory = _ => value };
        option.Validators.Add(result =>
        {
            if (result.Tokens.Count > 0 && double.TryParse(
                result.Tokens[^1].Value, NumberStyles.Float, CultureInfo.InvariantCulture, out var given) &&
                given is not (> 0 and <= 3_600_000))
                result.AddError($"{name} is not between 0 and 3600000");
        });
        return option;
    }
}

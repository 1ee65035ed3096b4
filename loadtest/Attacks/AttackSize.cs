namespace Gateway.Loadtest.Attacks;

/// <summary>Small: what a CI run of minutes can bear; nothing about time is checked, and memory within wider bounds.
/// Full: the size at which the fault was found; everything that docs/rules.md calls "survives" is checked.</summary>
internal enum AttackSize
{
    Small,
    Full,
}

namespace Gateway.Events.Delivery;

/// <summary>The outcome for one retained notification of a refresh.</summary>
public enum RetainedStep
{
    /// <summary>It does not pass the filter, or is none of the notifier's.</summary>
    Passed,

    Brought,

    /// <summary>The filters have taken all steps of this second: to be asked for again in the next one.</summary>
    Rests,

    /// <summary>The filter would take more steps for it than any may at one time.</summary>
    TooCostly,
}

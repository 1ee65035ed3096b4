namespace Gateway.Admission.Lanes;

/// <summary>The links of an <see cref="AgeList{T}"/>; nobody else's.</summary>
internal interface IAged<T>
{
    T? Older { get; set; }

    T? Younger { get; set; }
}

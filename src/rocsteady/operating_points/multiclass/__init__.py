"""Operating points of several classes: class weights."""
